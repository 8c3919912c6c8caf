const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words without a topic, by language tag. Contractions are written without their apostrophe. */
const STOP_WORDS: Record<string, ReadonlySet<string>> = {
  en: words(
    'a about above after place places again against all almost also always am among an and another any anyone anything are arent around as at away back be became because become been before behind being below between both but by came can cannot cant come could did didnt do does doesnt doing done dont down during each either else enough etc even ever every everyone everything few find first for from further get gets getting give given go goes going gone got had has have having he her here hers herself him himself his how however i if im in instead into is isnt it its itself ive just keep kept know last least less let lets like likely long look lot made make makes making many may maybe me might mine more most much must my myself near need needs never new next no nobody none nor not nothing now of off often oh on once one ones only onto or other others our ours ourselves out over own part per perhaps please put quite rather re really right said same say see seem seen several shall she should since so some someone something soon still such take taken than that thats the their theirs them themselves then there therefore these they theyre thing things this those though through thus till to together too toward two under unless until up upon us use used using usually very via want was wasnt way ways we well were what whats when where whether which while who whole whom whose why will with within without wont would yes yet you youll your youre yours yourself',
  ),
  de: words(
    'aber alle allem allen aller alles als also am an ander andere anderem anderen anderer auch auf aus bei beim bin bis bist da dabei damit dann darum das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einfach einige er es etwas euch euer eure fur für gegen gibt hab habe haben hat hatte hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine können konnte machen mal man mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte sondern sonst uber über um und uns unser unsere unserem unseren unserer unter viel viele vom von vor war waren warum was weil welche welcher wenn wer werden wie wieder will wir wird wirst wo wollen wurde während zu zum zur zwar zwischen',
  ),
  fr: words(
    'a afin ai ainsi alors au aucun aussi autre autres aux avant avec avez avoir avons bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de depuis des dès donc dont du elle elles en encore entre est et étaient était être eu eux faire fait faut il ils j je l la là le les leur leurs lors lui m ma mais me même mes moi moins mon n ne ni nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon ses si sien soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers votre vos vous y',
  ),
  es: words(
    'a al algo algunas algunos ante antes aquí así aun aunque bajo bien cada casi como cómo con contra cual cuando cuándo de del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estar estas este esto estos fue fueron ha hace hacer han hasta hay la las le les lo los luego mas más me mejor menos mi mis mientras mucho muchos muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que qué quien quién se según ser si sí sido sin sobre son su sus también tan tanto te tener tiene tienen toda todas todo todos tu tus un una unas uno unos usted ustedes vosotros y ya yo',
  ),
  nl: words(
    'aan af al alle alleen alles als altijd andere ben bij bent daar dan dat de deze die dit doch doen door dus een eens en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wat we wel werd wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou',
  ),
  it: words(
    'a ad agli ai al alla alle allo anche ancora avere c che chi ci come con così cui da dagli dai dal dalla dalle de degli dei del dell della delle dello di dopo dove due e è ed era essere fa fare gli ha hai hanno ho i il in io l la le lei lo loro lui ma me meno mi mia mio molto ne negli nei nel nella nelle no noi non nostra nostro o ogni per perché più poi può quale quali quando quanto quella quelle quelli quello questa queste questi questo qui se sei si sia sono su sua sue sugli sui sul sulla suo suoi tra tu tua tuo tutte tutti tutto un una uno vi voi vostra vostro',
  ),
  pt: words(
    'a à ao aos aquela aquele aqui as às até cada com como da das de dela dele depois do dos e é ela elas ele eles em entre era essa essas esse esses esta está estas este estes eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito muitos na não nas nem no nos nós nossa nosso num numa o os ou para pela pelas pelo pelos por porque qual quando que quem se sem ser seu seus são só sobre sua suas também te tem têm ter teu toda todas todo todos tu tua um uma umas uns você vocês vos',
  ),
  sv: words(
    'alla att av bara blir bli både de dem den denna det detta dig din dina du där efter ej eller en er ett från för ha han har hon hos hur här i icke inte ja jag kan kom man med mellan men mer min mina mot mycket ni nu när någon något och om oss på samma sedan sig sin sina ska som så till under upp ut utan vad var vara vem vi vid vilken vår våra är över',
  ),
  pl: words(
    'a aby ale bez bo być by był była było co czy dla do gdy gdzie go i ich ile im innych ja jak jako je jego jej jest już każdy kiedy kto która które który lub ma mi można my na nad nam nas nasz nasze nie niż o od on ona one oni oraz po pod przed przez przy są się ta tak także tam te tego tej ten to tu twój ty w was we wszystko z za ze że żeby',
  ),
}

/** Words of web pages that describe the page, not its topic. */
const PAGE_WORDS: Record<string, ReadonlySet<string>> = {
  en: words(
    'add blog business buy call cart checkout click comment comments company contact cookie cookies copyright customer customers discover download email explore facebook faq footer free header help home homepage hours info instagram join latest learn linkedin login menu news newsletter offer order page pages policy popular post posts privacy product products read request reserved results review reviews rights search services share shop sign site start started subscribe team terms testimonials today twitter view visit website welcome work works youtube',
  ),
  de: words(
    'agb anfrage angebot anmelden artikel beitrag blog bestellen datenschutz entdecken erfahren hilfe home impressum infos jetzt kaufen kontakt kundenkonto login mehr menü neu news newsletter produkte seite service shop start startseite suche team themen unternehmen warenkorb website weiter weiterlesen willkommen',
  ),
  fr: words(
    'accueil achat acheter actualités aide blog boutique commander confidentialité contact connexion découvrez découvrir légales lire mentions menu newsletter nouveau panier page produits recherche savoir services site bienvenue',
  ),
  es: words(
    'aviso ayuda bienvenido blog buscar carrito comprar contacto cookies descubre empresa inicio leer legal menú noticias política privacidad productos saber servicios sitio tienda web',
  ),
  nl: words(
    'aanmelden bekijk bestellen blog contact cookies hulp home informatie inloggen kopen lees menu nieuws nieuwsbrief ontdek pagina privacy producten service shop site start team verder voorwaarden website welkom winkel winkelwagen zoeken',
  ),
}

/** Verbs with which businesses describe their work. As the first word of a phrase, such a verb is the action; the rest is the topic. */
const LEADING_VERBS: Record<string, ReadonlySet<string>> = {
  en: words(
    'automate boost bring build choose clean collect create deliver design develop ensure fix grow handle improve increase install invoice maintain manage optimize organize plan prepare produce protect provide reduce rent repair replace save schedule sell send serve ship simplify solve specialise specialize supply support teach test track train understand upgrade write',
  ),
  de: words(
    'berät beraten bauen bieten entwickeln erstellen fertigen führen helfen installieren liefern montieren pflegen planen produzieren reinigen reparieren spezialisiert unterstützen vermieten verkaufen warten',
  ),
  fr: words(
    'aidons améliorer choisir concevons créer créons fabriquons gérer installons livrons proposons réparons vendons',
  ),
  es: words('ayudamos creamos diseñamos elegir fabricamos gestionar instalamos mejorar ofrecemos reparamos vendemos'),
  nl: words(
    'bieden bouwen helpen installeren kiezen leveren maken ontwerpen ontwikkelen repareren verhuren verkopen verzorgen',
  ),
}

const NONE: ReadonlySet<string> = new Set()

/** True if a lower-case word at the start of a phrase is only the action. */
export const isLeadingVerb = (word: string, tag: string): boolean => (LEADING_VERBS[tag] ?? NONE).has(word)

/** True if a lower-case word has no topic in a language. Languages without a list use the English one. */
export const isStopWord = (word: string, tag: string): boolean => {
  const plain = word.replace(/['’]/g, '')
  const list = STOP_WORDS[tag] ?? STOP_WORDS.en ?? NONE
  return list.has(plain) || (PAGE_WORDS[tag] ?? NONE).has(plain) || (PAGE_WORDS.en ?? NONE).has(plain)
}
