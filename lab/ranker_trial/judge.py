"""judge.py OUT PAGES SEEDS OPTIONSJSON WEB BASE topicfiles... : crawl, compare with the base's record of the same order at the same page"""
import sys, json, time, glob, gzip
from pathlib import Path
import numpy as np
from focused.reading.reader import Reader
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget
from lab.crawlers import entrants
from lab.topics.labelled_topics import labelled_files
out,pages,seeds,options,webname,base=Path(sys.argv[1]),int(sys.argv[2]),[int(s) for s in sys.argv[3].split(',')],json.loads(sys.argv[4]),sys.argv[5].split(','),sys.argv[6]
opener=WebOpener(webname,Path('/tmp/rk/cache'))
f=out.open('a')
for lf in labelled_files(sys.argv[7:]):
  for seed in seeds:
    t0=time.process_time()
    topic=lf.topic
    cls=entrants.get_entrant('lab.ranker_trial.ranker.Ranked')
    topic=topic.model_copy(update={'budget':Budget(pages=pages),'strategy':'lab.ranker_trial.ranker.Ranked','strategy_options':cls.Options(**options).model_dump()})
    web=opener.open(topic,Reader(topic.reading,keep=topic.keywords),lf.part)
    core=entrants.core_of(topic,web,None,seed,None)
    sim=Simulator(core,web,Network(in_flight=1,delay=0.0,seed=seed))
    got=[x.final_url for x in sim.fetches() if x.outcome=='page']
    rules=web.reader.rules; j=lf.read().judgements
    key=rules.key; R={key(u) for u in j.reachable_targets}; A={key(u) for u in j.relevant}; N={key(u) for u in j.neutral}
    def figures(urls):
        ks=[key(u) for u in urls][:pages]
        hit=np.array([k in R for k in ks],float); rel=[k in A for k in ks if k not in N]
        cum=np.cumsum(hit); cum=np.r_[cum,np.full(pages-len(cum),cum[-1] if len(cum) else 0)]
        best=np.minimum(np.arange(1,pages+1),len(R)).sum()
        return float(cum.sum()/len(R)/pages), float(cum.sum()/best), float(np.sum(rel))/max(1,len(rel)), float(cum[-1]/len(R))
    b=glob.glob(f'{base}/{topic.name}/adaptive-{seed}.*.json.gz')[0]; bu=json.load(gzip.open(b))['urls']
    same=next((i for i,(x,y) in enumerate(zip(got,bu)) if x!=y),len(got))
    r=dict(topic=topic.name,seed=seed,new=figures(got),old=figures(bu),same=same,cpu=time.process_time()-t0)
    f.write(json.dumps(r)+'\n'); f.flush()
    print(topic.name,seed,'same',same,'area %.3f->%.3f harvest %.3f->%.3f cpu %.0f'%(r['old'][1],r['new'][1],r['old'][2],r['new'][2],r['cpu']),flush=True)
