"""Make small topics of the documentation web from its sections: never of pages that one of the 15 topics names."""
import json, re, sys, math
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
import numpy as np
from focused.reading.reader import Reader
from focused.simulation.analysed_web import Fetched
from focused.simulation.labels import Judgements
from focused.simulation.web_opener import WebOpener
from focused.topic.topic_file import load_topic
from focused import strategies
from focused.reading.urls import host_of
from lab.topics.labelled_topics import LabelledTopic, write_topics, labelled_files
from lab.crawlers.web_links import links_of, reachable_urls
LO, HI, COUNT = 30, 700, int(sys.argv[1]) if len(sys.argv)>1 else 36
OUT=Path('/tmp/rk/topics'); OUT.mkdir(exist_ok=True)
files=labelled_files(['data/tw/docs'])
used,words15,seeds15=set(),set(),set()
for f in files:
    j=f.read().judgements; used|=j.targets|j.also|j.neutral; words15|=set(f.topic.keywords); seeds15|=set(f.topic.seeds)
topic=files[0].topic
opener=WebOpener(['/tmp/docsweb/docs-web.warc.gz'],Path('/tmp/rk/cache'))
web=opener.open(topic,Reader(topic.reading,keep=topic.keywords))
rules=web.reader.rules
urls=sorted({rules.canonical(u) or u for u in web.web.urls()})
print(len(urls),'urls',len(used),'labelled')
sections={}
def split(prefix,us,depth):
    if len(us)<LO: return
    if len(us)<=HI: sections[prefix]=us; return
    groups=defaultdict(list)
    for u in us:
        p=u.split('/',3)[-1].split('/')
        groups['/'.join(p[:depth+1]) if len(p)>depth+1 else '.'].append(u)
    if len(groups)==1 and '.' in groups:
        sections[prefix]=us; return
    for g,v in groups.items():
        if g=='.':
            if LO<=len(v)<=2*HI: sections[prefix+'/.']=v
        else: split(prefix.split('/')[0]+'/'+g,v,depth+1)
hosts=defaultdict(list)
for u in urls: hosts[host_of(u)].append(u)
for h,us in hosts.items(): split(h,us,0)
sections={s:us for s,us in sections.items() if not used.intersection(us) and len(us)<=2000}
print(len(sections),'sections', sum(map(len,sections.values())))
rng=Random(5)
names=sorted(sections); docs=[]; 
word=re.compile(r'[a-z]{4,}')
for s in names:
    c=Counter()
    for u in rng.sample(sections[s],min(10,len(sections[s]))):
        a=web.ask(u)
        if isinstance(a,Fetched):
            c.update(set(word.findall((a.page.title+' '+' '.join(a.page.text.split()[:300])).lower())))
    docs.append(c)
hostof=[host_of(sections[s][0]) for s in names]; n=len(docs)
by=defaultdict(list)
for h,c in zip(hostof,docs): by[h].append(c)
everywhere={h:{w for w in cs[0] if all(c[w]>=.7*max(c.values(),default=1) for c in cs)} for h,cs in by.items() if len(cs)>1}
docs=[Counter({w:k for w,k in c.items() if w not in everywhere.get(h,())}) for h,c in zip(hostof,docs)]
dfh=Counter(w for h,cs in by.items() for w in {w for c in cs for w in c}); nh=len(by); df=dfh
import pickle; pickle.dump((names,hostof,docs,dfh),open('/tmp/rk/sec.pkl','wb'))
vocab={w:i for i,w in enumerate(w for w,k in df.items() if 2<=k<=.12*nh)}
M=np.zeros((n,len(vocab)),np.float32)
for r,c in enumerate(docs):
    for w,k in c.items():
        if w in vocab: M[r,vocab[w]]=math.sqrt(k)*math.log(nh/df[w])
M/=np.linalg.norm(M,axis=1,keepdims=True)+1e-9
S=M@M.T
inv=list(vocab)
homes=[h for h in hosts if f'http://{h}/' in set(hosts[h][:3]) or True]
links=links_of(web,topic.scope)
free=np.ones(n,bool); made=single=0; order=list(range(n)); rng.shuffle(order); order.sort(key=lambda c:-max((S[c,i] for i in range(n) if hostof[i]!=hostof[c]),default=0)>-.16); topics=[]
for c in order:
    if made==COUNT: break
    if not free[c]: continue
    near=[i for i in np.argsort(-S[c]) if free[i] and S[c,i]>.16][:14]
    total,chosen=0,[]
    for i in near:
        if total+len(sections[names[i]])>1500: continue
        chosen.append(i); total+=len(sections[names[i]])
    hs={host_of(sections[names[i]][0]) for i in chosen}
    if total<80 or (len(hs)<2 and single>=COUNT//3): continue
    isone=len(hs)<2
    v=M[chosen].mean(0); kws=[inv[k] for k in np.argsort(-v) if (M[chosen][:,k]>0).mean()>=min(.5,2/len(chosen))][:12]
    if len(set(kws)&words15)>=3 or len(kws)<6: continue
    free[chosen]=False
    targets={u for i in chosen for u in sections[names[i]] if isinstance(web.ask(u),Fetched)}
    kind='easy' if made%2 else 'hard'
    def pick(us,k): 
        us=[u for u in us if isinstance(web.ask(u),Fetched) and web.ask(u).page.links and u not in seeds15]
        return rng.sample(us,min(k,len(us)))
    outside=[h for h in hosts if h not in hs and len(hosts[h])>30]
    seeds=[min(hosts[h],key=len) for h in rng.sample(outside,12)]
    seeds=pick(seeds,4)+pick(rng.sample([u for u in urls if host_of(u) not in hs],60),6 if kind=='hard' else 4)
    if kind=='easy': seeds+=pick(sorted(targets,key=len)[:12],2)
    seeds=tuple(dict.fromkeys(seeds)); targets-=set(seeds)
    reach=reachable_urls(links,rules,seeds,targets)
    if len(reach)<40: continue
    single+=isone
    name=f'auto{made:02d}-{kind}'
    topics.append(LabelledTopic(tuple(kws),seeds,Judgements(name,frozenset(targets),neutral=frozenset(),reachable=frozenset(reach)),' '.join(kws),{'data set':'documentation web','sections':[names[i] for i in chosen]},True,'ignore'))
    made+=1; print(name,len(targets),len(reach),len(hs),kws[:7],[names[i] for i in chosen][:6],flush=True)
write_topics(topics,OUT)
opener.save(); opener.close()
