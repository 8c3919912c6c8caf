/** Beginnings of paragraphs in which a model introduces its answer, a row for each language. */
const OPENERS = [
  "(?:sure|certainly|of course|absolutely|okay|ok|great|alright|no problem)\\b[^.:\\n]{0,40}[,!.:—-]\\s*(?:here|below|i['’]?(?:ll| will| have|['’]ve))\\b",
  "(?:here(?:['’]s| is| are)|below is) (?:the|a|an|your|my) (?:\\p{L}+[ -]){0,3}(?:article|section|introduction|draft|plan|outline|version|post|posts|text|html|content|answer|json)\\b",
  '(?:gerne|natürlich|klar|selbstverständlich)[!,.]\\s*hier|hier (?:ist|sind|kommt) (?:der|die|das|dein|ihr|eure?) (?:\\p{L}+ ){0,2}(?:artikel|abschnitt|einleitung|entwurf|text|gliederung|beitrag)',
  "(?:bien sûr|certainement|avec plaisir)[ ,!.]+\\s*voici|voici (?:l['’]|la |le |votre )(?:article|section|introduction|texte|plan|version)",
  '(?:claro|por supuesto|desde luego)[ ,!.]+\\s*aquí|aquí (?:tienes?|está) (?:el|la|tu|su) (?:artículo|sección|introducción|texto|borrador)',
  '(?:claro|com certeza)[ ,!.]+\\s*aqui|aqui está (?:o|a|seu|sua) (?:artigo|seção|secção|introdução|texto)',
  "(?:certo|certamente|ecco)[ ,!.]*\\s*(?:ecco )?(?:l['’]|la |il |lo )(?:articolo|sezione|introduzione|testo|bozza)",
  'hier is (?:het|de|je|uw) (?:artikel|sectie|inleiding|tekst)|oto (?:artykuł|sekcja|wstęp|tekst)',
  'вот (?:статья|раздел|введение|текст|черновик)|(?:以下是|这是)[^。\\n]{0,20}(?:文章|章节|内容|草稿)|以下(?:は|が)[^。\\n]{0,20}(?:記事|セクション)です',
]

/** Beginnings of paragraphs in which a model offers more, a row for each language. */
const OFFERS = [
  "(?:please )?let me know (?:if|whether|what|how|when|which) (?:you|i|there|this|any)\\b|would you like (?:me|this|any)\\b|(?:shall|should|may) i (?:go on|continue|proceed|write|add|expand|adjust|revise|change)\\b|do you want me to\\b|(?:is there )?anything else\\b.{0,40}\\?|i hope (?:this|that|it) (?:article |section |helps|meets|works)|(?:feel free|don['’]t hesitate) to (?:ask|let me know)|if you(?:['’]d| would) like,? i (?:can|could)|[([]?word count\\s?:?\\s?[~\\d]",
  'lass(?:en sie)? (?:es )?mich (?:bitte )?wissen|soll ich\\b|möchten sie,? dass ich|möchtest du,? dass ich|ich hoffe,? (?:das|dieser|dieser artikel) hilft',
  "n['’]hésitez pas à me (?:dire|faire)|dites-moi si|souhaitez-vous que je|voulez-vous que je|j['’]espère que cet? (?:article|texte)",
  'avísame si|dime si|hazme saber|¿(?:quieres|desea|le gustaría) que|espero que este (?:artículo|texto)',
  'me avise se|avise-me se|(?:quer|gostaria) que eu|espero que este (?:artigo|texto)',
  'fammi sapere|vuoi che (?:io )?|fatemi sapere|spero che questo (?:articolo|testo)',
  'laat (?:het )?me weten|wil je dat ik|daj mi znać|czy chcesz,? (?:żebym|abym)',
  'дайте (?:мне )?знать|сообщите мне,? если|хотите,? чтобы я|надеюсь,? (?:эта|этот) (?:статья|текст)|如果(?:您|你)(?:需要|想)[^。\\n]{0,30}(?:告诉我|告訴我)|希望(?:这|這)篇',
]

/** Sentences in which a model speaks of itself, a row for each language. They count anywhere in a paragraph. */
const SELF = [
  "\\b(?:as|being) an? (?:ai|artificial intelligence|large language model|language model|virtual assistant)\\b(?:[- ](?:powered|based|language|model|assistant|chatbot|system|writer)){0,3}(?:,? (?:trained|developed|created|made|built) by [^,.]{1,40})?,? (?:i|my)\\b|\\bi(?: am|['’]m) (?:just |only |merely )?an? (?:ai|artificial intelligence|large language model|language model)(?:[- ](?:language|model|assistant|chatbot|program|system)){0,3}(?= ?[.,;]| (?:and|so|without|trained|developed|created))",
  "\\bmy (?:knowledge cut-?off|training data|last (?:knowledge )?update)\\b|\\bas of my (?:last|latest|knowledge)\\b|\\bi (?:do not|don['’]t|cannot|can['’]t) (?:have access to|access|browse) (?:real-time|the internet|the web|current|external)",
  '\\bals (?:eine? )?(?:\\p{L}+es )?(?:ki|künstliche intelligenz|sprachmodell)(?:-\\p{L}+)?,? (?:kann|habe|bin|darf|verfüge|ich)|\\bich bin (?:nur )?(?:eine? )?(?:ki|sprachmodell|künstliche)',
  '\\bthis (?:article|text|section|post|content) (?:was|is|has been) (?:written|generated|created) by an? (?:ai|artificial intelligence|language model)|\\bthe user (?:wants|asks|asked|is asking|requested|needs)(?: me| us)? (?:to (?:write|produce|create|generate|draft)|(?:for )?(?:an?|the) (?:article|section|introduction|outline))|\\bwe need to (?:write|produce|output|craft|generate) (?:an?|the) (?:html|section|article|introduction|outline|fragment)',
  '\\bje suis une? (?:ia|intelligence artificielle|modèle de langage)|\\bsoy una? (?:modelo de lenguaje|inteligencia artificial|ia)\\b|\\bsou uma? (?:modelo de linguagem|inteligência artificial|ia)\\b|\\bsono una? (?:modello linguistico|intelligenza artificiale|ia)\\b|\\bik ben een (?:ai|taalmodel)',
  "\\ben tant qu(?:['’]|e )(?:ia|intelligence artificielle|modèle de langage|assistant)[^.]{0,30}\\bje\\b",
  '\\bcomo (?:un )?(?:modelo de lenguaje|inteligencia artificial|ia|asistente)[^.]{0,30}(?:no puedo|no tengo|puedo)',
  '\\bcomo (?:um |uma )?(?:modelo de linguagem|inteligência artificial|ia|assistente)[^.]{0,30}(?:não posso|não tenho|posso)',
  '\\b(?:come|in quanto) (?:un )?(?:modello linguistico|intelligenza artificiale|ia|assistente)[^.]{0,30}(?:non posso|non ho|posso)',
  '\\bals (?:ai|taalmodel|ai-taalmodel)[^.]{0,30}(?:kan|heb|ben) ik|\\bjako (?:model językowy|sztuczna inteligencja|ai)\\b',
  'как (?:языковая модель|искусственный интеллект|ии)[^.]{0,30}(?<!\\p{L})я(?!\\p{L})|(?:作为|身為|作為)(?:一个|一個)?(?:人工智能|人工智慧|ai|大?语言模型|語言模型)|(?:ai|人工知能|言語モデル)(?:言語モデル)?(?:として|なので)、?',
]

/** Beginnings of paragraphs in which a model refuses, a row for each language. */
const REFUSALS = [
  "(?:i['’]m (?:very |really )?sorry|i am sorry|sorry|my apologies|i apologi[sz]e|unfortunately)[^.\\n]{0,40}\\bi (?:can['’]?t|cannot|can not|am (?:not able|unable)|won['’]t)|i['’]m sorry,? but i['’]m (?:unable|not able)|i (?:can['’]t|cannot|can not|won['’]t|will not|must decline to|am unable to|am not able to) (?:help|assist|fulfil|comply|provide|create|generate|write|produce|continue|complete|discuss|engage|do that|support)|i['’]m (?:unable|not able) to (?:help|assist|provide|create|generate|write|fulfil|comply)",
  'es tut mir (?:sehr )?leid[^.\\n]{0,30}\\bich (?:kann|darf)|(?:tut mir leid|leider kann ich|ich kann (?:dir|ihnen|dabei|diese\\p{L}*) [^.\\n]{0,40}nicht)',
  'je suis désolée?[^.\\n]{0,30}\\bje ne (?:peux|suis)|désolée?,? (?:mais )?je ne peux|je ne peux pas (?:vous aider|répondre|rédiger|écrire)',
  'lo siento[^.\\n]{0,30}\\bno puedo|no puedo (?:ayudar|escribir|generar|cumplir)|desculpe?[^.\\n]{0,30}\\bnão posso|não posso (?:ajudar|escrever|gerar)',
  'mi dispiace[^.\\n]{0,30}\\bnon posso|non posso (?:aiutar|scrivere|generare)|het spijt me[^.\\n]{0,30}\\bik kan|przykro mi[^.\\n]{0,30}\\bnie mogę',
  '(?:извините|простите|к сожалению)[^.\\n]{0,30}(?<!\\p{L})я не могу|(?:抱歉|对不起|很遗憾|對不起)[^。\\n]{0,20}(?:无法|不能|無法)|(?:申し訳(?:ありません|ございません)|すみません)[^。\\n]{0,40}(?:できません|いたしかねます)|죄송(?:하지만|합니다)[^.\\n]{0,40}(?:없습니다|어렵습니다)',
]

/** Places in brackets that somebody has to fill in. */
const PLACEHOLDERS = [
  '[{(]insert [^(){}\\n]{1,80}[)}]|\\[(?:todo|source needed|citation needed|insert|add|include|place|embed|put|enter|fill in|replace|link to|placeholder|tbd|to be (?:added|confirmed))\\b[^\\[\\]\\n]{0,120}\\](?!\\()',
  "\\[your [^\\[\\]\\n]{1,60}\\](?!\\()|\\[(?:company|business|brand|product|city|author|client)(?:[ ’'s]{0,3} ?(?:name|here))\\](?!\\()|\\[[^\\[\\]\\n]{1,60} (?:goes )?here\\](?!\\()|\\[(?:image|photo|picture|video|screenshot|chart|link):? [^\\[\\]\\n]{1,100}\\](?!\\()",
  '\\[[^\\[\\]\\n]{0,60}(?:hier )?(?:einfügen|einsetzen|ergänzen)\\]|\\[(?:insérer|ajouter|insertar|añadir|agregar|inserir|adicionar|inserisci|aggiungi|wstaw|dodaj|вставьте|добавьте)[^\\[\\]\\n]{1,100}\\]|\\[[^\\[\\]\\n]{0,40}invoegen\\]|[\\[【]此处[^\\]】\\n]{1,40}[\\]】]|\\blorem ipsum\\b',
]

const START = '^[\\s*_#>"“«„-]{0,6}'
const starting = (rows: readonly string[]): RegExp => new RegExp(`${START}(?:${rows.join('|')})`, 'iu')

let compiled: { opener: RegExp; offer: RegExp; refusal: RegExp; anywhere: RegExp } | undefined

/** Returns the patterns. They are created on use, because building their character tables takes longer than reading a text. */
const patterns = () => {
  compiled ??= {
    opener: starting(OPENERS),
    offer: starting(OFFERS),
    refusal: starting(REFUSALS),
    anywhere: new RegExp([...SELF, ...PLACEHOLDERS].join('|'), 'iu'),
  }
  return compiled
}

/** Longest part of a paragraph that is searched. */
const MAX = 2_000

/** Quotations, whose words are somebody else's. */
const QUOTED = /“[^“”]{1,500}”|„[^„“”]{1,500}[“”]|«[^«»]{1,500}»|"[^"]{1,500}"/g

/** True if a paragraph introduces an answer: `Sure! Here is the article:`. */
export const isOpener = (paragraph: string): boolean => patterns().opener.test(paragraph.slice(0, MAX))

/** True if a paragraph offers more work: `Shall I go on?`. */
export const isOffer = (paragraph: string): boolean => patterns().offer.test(paragraph.slice(0, MAX))

/** True if a paragraph refuses the task, or if its author says that it is a model. */
export const isRefusal = (paragraph: string): boolean => patterns().refusal.test(paragraph.slice(0, MAX))

/** Returns the paragraphs that a model addresses to its user instead of the reader, or in which something has to be filled in. */
export const assistantWordsIn = (paragraphs: readonly string[]): string[] => {
  const { anywhere } = patterns()
  return paragraphs.filter((paragraph) => {
    const said = paragraph.slice(0, MAX)
    return isOpener(said) || isOffer(said) || isRefusal(said) || anywhere.test(said.replace(QUOTED, '“”'))
  })
}
