# one array for all; the curve over training topics, topics left out (both rounds of a topic together)
import sys; sys.path.insert(0,'/tmp/rk')
from fit import *
D=load(['/tmp/rk/r1','/tmp/rk/w1','/tmp/rk/r2']); D=[d for d in D if (d[3][:,0]>0).mean()>.003]
X=np.concatenate([d[2] for d in D]); Y=np.concatenate([d[3] for d in D]); names=sorted({d[0] for d in D}); T=np.concatenate([[names.index(d[0])]*len(d[2]) for d in D])
G=np.concatenate([d[4]+i*100000 for i,d in enumerate(D)]); P=np.concatenate([d[5] for d in D])
keep=(P>=25)&(G%5==1); X,Y,T,G=X[keep],Y[keep],T[keep],G[keep]
C=(X.shape[1]-8)//2-1; score=X[:,C].astype(float); X=X.copy(); X[:,:C+1]=0; t=value(Y,'t'); v=center(value(Y,'v3'),G)
rng=np.random.default_rng(1); order=rng.permutation(len(names)); test=order[:8]; pool=order[8:]
te=np.isin(T,test)
def rep(n,s):
    f=top1(s[te],t[te],G[te]); tt=T[te]
    print('%-10s top1 %.3f AP %.3f'%(n,np.mean([t[te][f][tt[f]==i].mean() for i in test]),np.mean([ap(s[te][tt==i],t[te][tt==i]) for i in test])),flush=True)
print(len(names),'topics; tested on',[names[i] for i in test]); rep('today',score)
for k in (2,4,8,len(pool)):
    r=[]
    for rep_ in range(2 if k<len(pool) else 1):
        some=rng.permutation(pool)[:k]; tr=np.isin(T,some); w=1/np.bincount(T[tr])[T[tr]]; w*=len(w)/w.sum()
        m=HistGradientBoostingRegressor(max_iter=40,learning_rate=.12,max_depth=3,max_leaf_nodes=8,min_samples_leaf=60,l2_regularization=10.,early_stopping=False,random_state=0).fit(X[tr],v[tr],sample_weight=w); s=np.zeros(len(X)); s[te]=m.predict(X[te]); rep(f'{k} +1.0',score+s); rep(f'{k} +.3',score+.3*s); rep(f'{k} alone',s)
