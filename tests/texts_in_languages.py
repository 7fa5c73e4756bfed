"""Paragraphs in five languages, written for these tests: about wind power, and about cooking, music and football."""

#: Words for the topic, by ISO 639-1 code.
KEYWORDS = {
    "en": ("wind power", "wind turbine", "wind farm"),
    "de": ("Windkraft", "Windrad", "Windpark"),
    "ja": ("風力発電", "風車", "風力タービン"),
    "zh": ("风力发电", "风电场", "风机"),
    "ar": ("طاقة الرياح", "توربينات الرياح", "مزرعة رياح"),
}

WIND = {
    "en": (
        "A wind turbine turns moving air into electricity. Three long blades drive a generator in the "
        "nacelle, high above the fields. The larger the rotor, the more wind it catches, and wind farms at "
        "sea meet steadier wind than wind farms on land.",
        "Last year the new wind farm off the coast delivered its first wind power. Each of its sixty wind "
        "turbines stands on a steel foundation, and a cable carries the power to the shore. Wind power now "
        "covers a fifth of the region's demand.",
    ),
    "de": (
        "Ein Windrad macht aus bewegter Luft elektrischen Strom. Drei lange Blätter treiben einen Generator "
        "in der Gondel an. Je größer der Rotor, desto mehr Wind fängt das Windrad ein; ein Windpark auf See "
        "hat stetigeren Wind als ein Windpark an Land.",
        "Der neue Windpark vor der Küste lieferte im vergangenen Jahr zum ersten Mal Strom aus Windkraft. "
        "Jedes der sechzig Windräder steht auf einem Fundament aus Stahl. Die Windkraft deckt heute ein "
        "Fünftel des Bedarfs.",
    ),
    "ja": (
        "風力発電は風の力で電気をつくる方法です。風車の長い羽根が回ると、ナセルの中の発電機が動きます。風車が"
        "大きいほど多くの風を受けるので、海の上の風力発電所は陸上より安定して発電できます。",
        "昨年、沖合に新しい風力発電所が完成しました。六十基の風力タービンは鋼の基礎の上に立ち、海底ケーブルで"
        "電力を送ります。風力発電は今では地域の需要の五分の一をまかなっています。",
    ),
    "zh": (
        "风力发电是把空气的运动变成电能。风机的三片长叶片带动机舱里的发电机。风轮越大,捕获的风就越多;海上风电"
        "场的风比陆地上更稳定,所以风电场越来越多地建在海上。",
        "去年,沿海新建的风电场第一次送出了电力。六十台风机立在钢制的基础上,海底电缆把电送到岸边。现在风力发电"
        "满足了这个地区五分之一的需求。",
    ),
    "ar": (
        "تحول توربينات الرياح حركة الهواء إلى كهرباء. تدير ثلاث شفرات طويلة مولدا داخل الحجرة فوق البرج. "
        "وكلما كبر الدوار زادت طاقة الرياح التي يلتقطها، والرياح في البحر أكثر ثباتا منها على اليابسة.",
        "في العام الماضي أنتجت مزرعة رياح جديدة قرب الساحل أول كهرباء لها. تقف ستون من توربينات الرياح على "
        "قواعد من الفولاذ، وينقل كابل بحري الطاقة إلى الشاطئ. تغطي طاقة الرياح اليوم خمس حاجة المنطقة.",
    ),
}

OTHER = {
    "en": (
        "Peel the onions and fry them slowly in butter until they are golden. Add flour, stir, and pour in "
        "the hot broth. The soup simmers for half an hour; then put bread and cheese on top and brown it in "
        "the oven.",
        "The orchestra opened the evening with a quiet symphony. After the break a young pianist played two "
        "concertos, and the audience in the old theatre stood up and clapped for ten minutes.",
        "The home team scored in the last minute and won the cup. The goalkeeper had saved two penalties "
        "before, and thousands of fans sang in the stadium until midnight.",
    ),
    "de": (
        "Die Zwiebeln schälen und langsam in Butter braten, bis sie goldgelb sind. Mehl dazugeben, umrühren "
        "und mit heißer Brühe aufgießen. Die Suppe köchelt eine halbe Stunde; dann Brot und Käse darauflegen "
        "und im Ofen überbacken.",
        "Das Orchester eröffnete den Abend mit einer leisen Sinfonie. Nach der Pause spielte eine junge "
        "Pianistin zwei Konzerte, und das Publikum im alten Theater klatschte zehn Minuten lang.",
        "Die Mannschaft schoss in der letzten Minute das Tor und gewann den Pokal. Der Torwart hatte vorher "
        "zwei Elfmeter gehalten, und tausende Zuschauer sangen im Stadion bis Mitternacht.",
    ),
    "ja": (
        "玉ねぎの皮をむき、バターで黄金色になるまでゆっくり炒めます。小麦粉を加えて混ぜ、熱いスープを注ぎます"
        "。三十分煮込んだら、パンとチーズをのせてオーブンで焼きます。",
        "オーケストラは静かな交響曲で演奏会を始めました。休憩のあと、若いピアニストが協奏曲を二曲弾き、古い劇"
        "場の観客は十分間も拍手を続けました。",
        "地元のチームは最後の一分でゴールを決め、優勝しました。ゴールキーパーはその前に二本のペナルティーキッ"
        "クを止め、スタジアムの観客は夜中まで歌いました。",
    ),
    "zh": (
        "把洋葱去皮,用黄油慢慢炒到金黄色。加入面粉搅拌,再倒入热汤。煮半个小时以后,把面包和奶酪放在上面,放进烤箱烤。",
        "乐团用一首安静的交响曲开始了晚会。休息以后,一位年轻的钢琴家演奏了两首协奏曲,老剧院里的观众鼓掌十分钟。",
        "主队在最后一分钟进球,赢得了冠军。守门员在那之前扑出了两个点球,成千上万的球迷在体育场里唱到半夜。",
    ),
    "ar": (
        "قشر البصل واقله ببطء في الزبدة حتى يصبح ذهبيا. أضف الدقيق وحرك ثم اسكب المرق الساخن. اترك الحساء "
        "على النار نصف ساعة، ثم ضع فوقه الخبز والجبن وأدخله الفرن.",
        "افتتحت الفرقة الموسيقية الأمسية بسيمفونية هادئة. وبعد الاستراحة عزفت عازفة بيانو شابة مقطوعتين، "
        "وصفق الجمهور في المسرح القديم عشر دقائق.",
        "سجل الفريق هدفا في الدقيقة الأخيرة وفاز بالكأس. وكان الحارس قد صد ركلتي جزاء قبل ذلك، وغنى آلاف "
        "المشجعين في الملعب حتى منتصف الليل.",
    ),
}
