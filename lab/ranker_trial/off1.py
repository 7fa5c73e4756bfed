import sys; sys.path.insert(0,'/tmp/rk')
from fit import *
import time
rng=np.random.default_rng(0)
D=load(sys.argv[1].split(','))
print([(d[0],round(float((d[3][:,0]>0).mean()),3)) for d in D])
D=[d for d in D if (d[3][:,0]>0).mean()>.003]
X=np.concatenate([d[2] for d in D]); Y=np.concatenate([d[3] for d in D]); T=np.concatenate([[i]*len(d[2]) for i,d in enumerate(D)])
G=np.concatenate([d[4]+i*100000 for i,d in enumerate(D)]); P=np.concatenate([d[5] for d in D])
keep=(P>=25)&(G%2==0); X,Y,T,G,P=X[keep],Y[keep],T[keep],G[keep],P[keep]
C=(X.shape[1]-8)//2-1; score=X[:,C].astype(float); t=value(Y,'t'); v3=value(Y,'v3')
print(len(D),'topics',X.shape)
web=np.array([d[1] for d in D]); folds=np.arange(len(D))%3
def report(n,s):
    f=top1(s,t,G); r=[]
    for w in np.unique(web):
        q=[i for i in range(len(D)) if web[i]==w]
        r.append('%s top1 t %.3f v %.3f AP %.3f'%(w,np.mean([t[f][T[f]==i].mean() for i in q]),np.mean([v3[f][T[f]==i].mean() for i in q]),np.nanmean([ap(s[T==i],t[T==i]) for i in q])))
    print('%-24s'%n,' | '.join(r),flush=True)
report('today',score); report('oracle',t)
W=1/np.bincount(T)[T]; W*=len(W)/W.sum()
rel=np.r_[C+1:2*C+2]; ex=np.r_[2*C+2:X.shape[1]]
def cv(f,split):
    s=np.zeros(len(X))
    for k in np.unique(split):
        te=np.isin(T,np.flatnonzero(split==k)); s[te]=f(~te)(X[te])
    return s
def gb(kind,trees=50,depth=3,cols=np.arange(X.shape[1]),cen=True):
    v=value(Y,kind); v=center(v,G) if cen else v
    def f(tr):
        m=make(kind,trees,depth,.1).fit(X[tr][:,cols],v[tr],sample_weight=W[tr]); return lambda Z:m.predict(Z[:,cols])
    return f
def lin(kind,cols):
    v=center(value(Y,kind),G)
    def f(tr):
        A=np.c_[X[tr][:,cols],np.ones(tr.sum())].astype(float); w=W[tr]; B=np.linalg.solve(A.T@(A*w[:,None])+10*np.eye(A.shape[1]),A.T@(v[tr]*w)); return lambda Z:np.c_[Z[:,cols],np.ones(len(Z))]@B
    return f
wsplit=(web=='w').astype(int)
for name,f in (('gb v3 rel',gb('v3',cols=np.r_[rel,ex])),('gb v3',gb('v3'))):
    s=cv(f,folds); report(name,s)
    for b in (.3,1,3): report('  today + %.1f'%b,score+b*s)
    if len(set(web))>1 and 'gb v3'==name or name=='lin v3 all': report(name+' other web',cv(f,wsplit))
