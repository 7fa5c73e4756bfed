import sys; sys.path.insert(0,'/tmp/rk')
from fit import *
# fit1.py folders out [trees] [every] [ntopics seed] [relonly]
D=load(sys.argv[1].split(',')); D=[d for d in D if (d[3][:,0]>0).mean()>.003]
trees=int(sys.argv[3]) if len(sys.argv)>3 else 60
X=np.concatenate([d[2] for d in D]); Y=np.concatenate([d[3] for d in D]); T=np.concatenate([[i]*len(d[2]) for i,d in enumerate(D)])
G=np.concatenate([d[4]+i*100000 for i,d in enumerate(D)]); P=np.concatenate([d[5] for d in D])
keep=(P>=25)&(G%2==1); X,Y,T,G=X[keep],Y[keep],T[keep],G[keep]
C=(X.shape[1]-8)//2-1
if len(sys.argv)>4: X=X.copy(); X[:,:C+1]=0
W=1/np.bincount(T)[T]; W*=len(W)/W.sum()
v=center(value(Y,'v3'),G)
m=make("v3",trees,3,.12).fit(X,v,sample_weight=W)
a=convert(m,3,float(m._baseline_prediction.ravel()[0])); np.savez(sys.argv[2],**a)
s=m.predict(X); print(len(D),'topics',X.shape,'pred sd',s.std(),'score sd',X[:,C].std())
imp=np.bincount(a['feature'].ravel(),minlength=X.shape[1]); print('features',sorted(((int(k),i) for i,k in enumerate(imp) if k),reverse=True)[:15])
