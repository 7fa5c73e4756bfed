import sys, glob, json, numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, HistGradientBoostingClassifier
def load(folders):
    D=[]
    for f in folders:
        for p in sorted(glob.glob(f'{f}/*.npz')):
            z=np.load(p); name=p.split('/')[-1].rsplit('-',1)[0]
            D.append((name.replace('-easy','').replace('-hard','').replace('-near','').replace('-far',''),f.split('/')[-1][0],z['X'],z['Y'],z['dec'],z['page']))
    return D
def value(Y,kind):
    t,left,n1,n2,n3=Y.T
    left=np.minimum(left,1)
    t0=np.maximum(left,0)
    if kind=='t': return t0
    b=.4*n1/(n1+5)
    if kind=='v1': return np.maximum(t0,b)
    return np.maximum(t0,np.maximum(b,np.maximum(.2*n2/(n2+20),.1*n3/(n3+100))))
def convert(est,depth,base):
    F,T,L=[],[],[]
    inner=2**depth-1
    for (p,) in est._predictors:
        n=p.nodes; f=np.zeros(inner,np.int32); t=np.full(inner,np.inf); leaf=np.zeros(2**depth)
        def walk(i,at,d):
            if d==depth:
                assert n[i]['is_leaf']; leaf[at-inner]=n[i]['value']; return
            if n[i]['is_leaf']:
                walk2(n[i]['value'],at,d); return
            f[at]=n[i]['feature_idx']; t[at]=n[i]['num_threshold']
            walk(n[i]['left'],2*at+1,d+1); walk(n[i]['right'],2*at+2,d+1)
        def walk2(v,at,d):
            if d==depth: leaf[at-inner]=v; return
            walk2(v,2*at+1,d+1); walk2(v,2*at+2,d+1)
        walk(0,0,0); F.append(f);T.append(t);L.append(leaf)
    return dict(feature=np.array(F,np.int32),threshold=np.array(T,np.float32).astype(np.float64),leaves=np.array(L,np.float64),base=base)
def make(kind,trees,depth,lr=.08):
    a=dict(max_iter=trees,learning_rate=lr,max_depth=depth,max_leaf_nodes=2**depth,min_samples_leaf=200,l2_regularization=10.,early_stopping=False,random_state=0)
    return HistGradientBoostingRegressor(**a)
def center(v,g):
    u,inv=np.unique(g,return_inverse=True); m=np.bincount(inv,v)/np.bincount(inv); return v-m[inv]
def top1(s,v,g):
    # first row of each dec group maximising s
    o=np.lexsort((-s,g)); first=o[np.r_[True,np.diff(g[o])!=0]]; return first
def ap(s,y):
    o=np.argsort(-s,kind='stable'); y=y[o]>0; 
    return (np.cumsum(y)/np.arange(1,len(y)+1))[y].mean() if y.any() else np.nan
