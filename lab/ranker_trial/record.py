"""record.py OUT PAGES SEED OPTIONSJSON WEB topicfiles... : crawl and keep decisions"""
import sys, json, time
from pathlib import Path
import numpy as np
from focused.reading.reader import Reader
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget
from lab.crawlers import entrants
from lab.topics.labelled_topics import labelled_files
from lab.crawlers.web_links import links_of
out,pages,seed,options,webname=Path(sys.argv[1]),int(sys.argv[2]),int(sys.argv[3]),json.loads(sys.argv[4]),sys.argv[5].split(',')
out.mkdir(exist_ok=True)
opener=WebOpener(webname,Path('/tmp/rk/cache'))
for lf in labelled_files(sys.argv[6:]):
    t0=time.time()
    topic=lf.topic
    cls=entrants.get_entrant('lab.ranker_trial.ranker.Ranked')
    opts=cls.Options(**options).model_dump()
    topic=topic.model_copy(update={'budget':Budget(pages=pages),'strategy':'lab.ranker_trial.ranker.Ranked','strategy_options':opts})
    web=opener.open(topic,Reader(topic.reading,keep=topic.keywords),lf.part)
    core=entrants.core_of(topic,web,None,seed,None)
    st=core.strategy if hasattr(core,'strategy') else core._strategy
    st.recorded=[]
    sim=Simulator(core,web,Network(in_flight=1,delay=0.0,seed=seed))
    got=[f.final_url for f in sim.fetches() if f.outcome=='page']
    links=links_of(web,topic.scope); rules=web.reader.rules
    j=lf.read().judgements
    tn=np.unique(links.pages([rules.key(u) for u in j.targets])); tn=tn[tn>=0]
    T=np.zeros(len(links),np.float32); T[tn]=1
    key=lambda ids: links.pages([st.keys.get(int(i),-1) for i in ids])
    fetched=key([p for p,_ in st.fetched]); order=np.full(len(links),1<<30); 
    urlnodes=links.pages([rules.key(u) for u in got]);
    for k,nd in enumerate(urlnodes.tolist()):
        if nd>=0: order[nd]=min(order[nd],k)
    M=links._matrix().astype(np.float32)
    rows,ys,dec,pg=[],[],[],[]
    last=-99; 
    for d,(p,ids,r) in enumerate(st.recorded):
        if p-last>=40:
            left=T*(order>=p)
            n1=M@left; n2=M@(n1>0).astype(np.float32) if True else 0
            n2=M@np.minimum(n1,10); n3=M@np.minimum(n2,30); last=p
        nd=key(ids); ok=nd>=0
        y=np.zeros((len(ids),5),np.float32)
        y[ok]=np.stack((T[nd[ok]],(T*(order>=p))[nd[ok]],n1[nd[ok]],n2[nd[ok]],n3[nd[ok]]),1)
        rows.append(r);ys.append(y);dec+= [d]*len(ids);pg+=[p]*len(ids)
    X=np.concatenate(rows);Y=np.concatenate(ys)
    np.savez(out/f'{topic.name}-{seed}.npz',X=X,Y=Y,dec=np.array(dec),page=np.array(pg))
    f=np.isin(urlnodes,tn)
    reach=len(j.reachable_targets); cum=np.cumsum(f)/reach; area=(cum.sum()+ (pages-len(cum))*(cum[-1] if len(cum) else 0))/pages
    print(topic.name,'pages',len(got),'found',int(f.sum()),'of',reach,'area %.3f'%area,'rows',X.shape,'pos %.3f'%Y[:,0].mean(),'%.1fs'%(time.time()-t0),flush=True)
