import { describe, expect, it } from 'vitest'
import type { SeoCheck } from '../../../schema/values/seo.ts'
import { readDocument } from '../../../src/content/html/document.ts'
import { CHECKS, checkArticle } from '../../../src/content/seo/check.ts'
import type { SeoExpectations } from '../../../src/content/seo/checks.ts'
import { compareLanguage } from '../../../src/content/seo/language.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { GIVEN } from './given.ts'

const finding = (check: SeoCheck, html: string, changes: Partial<SeoExpectations> = {}) =>
  CHECKS[check](readDocument(html), { ...GIVEN, ...changes })

describe('words of a model to its user', () => {
  it.each([
    'As an AI language model, I cannot give advice on this.',
    'I am an AI language model and have no opinion.',
    'As a large language model trained by Acme, I have no opinion.',
    'This article was written by an AI.',
    'Okay, the user wants me to write a section about sheds.',
    'We need to write an HTML fragment of 220 words.',
    'Call {insert phone number} today.',
    'Sheds cost less [citation needed].',
    'Word count: 220',
    'Als großes Sprachmodell kann ich das nicht beurteilen.',
    'Je suis une IA et n’ai pas d’avis.',
    'Soy un modelo de lenguaje y no opino.',
    'As of my last update, sheds were cheap.',
    'My knowledge cutoff is 2024.',
    "I'm sorry, but I can't help with that.",
    'I cannot provide medical advice for this section.',
    'I’m unable to write about this topic.',
    '[Insert product photo here]',
    'See [insert link] for more.',
    'Call us at [your phone number].',
    'At [Company Name] we build sheds.',
    '[Image: a shed in the sun]',
    'Lorem ipsum dolor sit amet.',
    "Let me know if you'd like me to expand this section.",
    'Would you like me to add a table?',
    'Shall I continue with the next section?',
    'I hope this article meets your needs!',
    'Certainly! Here is the revised section:',
    "Here's the article you asked for:",
    'Als KI-Sprachmodell kann ich das nicht beurteilen.',
    'Es tut mir leid, aber ich kann dabei nicht helfen.',
    'Soll ich den nächsten Abschnitt schreiben?',
    '[Produktfoto hier einfügen]',
    "En tant qu'IA, je ne peux pas juger.",
    'Je suis désolé, mais je ne peux pas vous aider.',
    'Voici l’article demandé :',
    'Como modelo de lenguaje, no puedo opinar.',
    'Lo siento, pero no puedo ayudar con eso.',
    'Como modelo de linguagem, não posso opinar.',
    'Mi dispiace, ma non posso aiutarti.',
    'Fammi sapere se vuoi altro.',
    'Het spijt me, maar ik kan dat niet.',
    'Jako model językowy nie mam zdania.',
    'К сожалению, я не могу помочь с этим.',
    '作为一个人工智能语言模型，我无法回答。',
    '抱歉，我无法提供帮助。',
    '申し訳ありませんが、お手伝いできません。',
    '죄송하지만 도와드릴 수 없습니다.',
  ])('are found: %j', (text) => {
    const html = `<h2>Wood</h2><p>Oak lasts.</p><p>${text}</p><p>Paint it.</p>`
    expect(finding('assistant_words', html)).toMatchObject({ message: expect.stringContaining(text.slice(0, 30)) })
  })

  it('are found in title and description, in headings and list items', () => {
    expect(finding('assistant_words', '<p>Oak.</p>', { title: 'Here is the article: Oak' })).not.toBeNull()
    expect(finding('assistant_words', '<h2>[Insert heading]</h2><p>Oak.</p>')).not.toBeNull()
    expect(finding('assistant_words', '<ul><li>Let me know if you need more.</li></ul>')).not.toBeNull()
  })

  it.each([
    'Let me know in the comments which wood you use.',
    'Feel free to contact our shop.',
    'The user wants a fast page.',
    'Lift the lid (add water) and stir.',
    'As an AI model, GPT-5 answers questions.',
    'She works as an AI engineer in Utrecht.',
    'The bot wrote: “As an AI language model, I cannot help.”',
    'We cannot provide a guarantee for paint.',
    'Here is the thing: oak lasts.',
    'Would you like a shed of oak?',
    'Sure, oak is hard.',
    'Write <code>[insert name]</code> into the form.',
    'See [our guide](https://a.example) for more.',
    'Es tut mir leid um den Schuppen.',
    'Hier ist der Boden fest.',
    'Sorry, we are closed on Sundays.',
    'Add [brackets] where you like.',
  ])('are no words that people write to readers: %j', (text) =>
    expect(finding('assistant_words', `<p>${text}</p>`)).toBeNull(),
  )
})

describe('marks of a model’s sources', () => {
  it.each(['【4:1†source】', 'citeturn0search0', '[oaicite:0]', '[1]', '[2, 3]', '[cite: 1]', '\ue200', '\uf123'])(
    'are found: %j',
    (mark) => {
      const found = finding('model_marks', `<p>Oak lasts ${mark}.</p>`)
      expect(found).toMatchObject({ message: expect.not.stringMatching(/[\ue000-\uf8ff]/) })
    },
  )

  it.each([
    '<p>Oak lasts <a href="https://a.example">[1]</a>.</p>',
    '<p>Oak lasts [1].</p><p>[1] The book of oak</p>',
    '<p>Write <code>a[1]</code>.</p>',
    '<p>It takes [about] 20 turns, and turn 0 is free.</p>',
  ])('are no links, lists of sources or code: %j', (html) => expect(finding('model_marks', html)).toBeNull())
})

const TEXTS: Record<string, string> = {
  English:
    'A garden shed needs a level base that stays dry in winter. You can lay slabs on gravel, or pour concrete if the ground is soft. The roof should carry the snow of your region, and the door has to be wide enough for the things that you want to keep in it for years.',
  German:
    'Ein Gartenhaus braucht einen ebenen Untergrund, der auch im Winter trocken bleibt. Sie können Platten auf Kies legen oder ein Fundament gießen, wenn der Boden weich ist. Das Dach sollte die Last des Schnees tragen, und die Tür muss breit genug für die Dinge sein, die in das Haus kommen.',
  French:
    'Un abri de jardin a besoin d’une base plane qui reste sèche en hiver. Vous pouvez poser des dalles sur du gravier, ou couler du béton si le sol est mou. Le toit doit porter la neige de votre région, et la porte doit être assez large pour les choses que vous voulez y garder.',
  Spanish:
    'Una caseta de jardín necesita una base nivelada que se mantenga seca en invierno. Puede colocar losas sobre grava o verter hormigón si el suelo es blando. El tejado debe soportar la nieve de la región y la puerta tiene que ser lo bastante ancha para las cosas que se guardan en ella.',
  Portuguese:
    'Um abrigo de jardim precisa de uma base nivelada que se mantenha seca no inverno. Pode colocar lajes sobre cascalho ou deitar betão se o solo for mole. O telhado deve suportar a neve da região, e a porta tem de ser larga para as coisas que são guardadas nele por muitos anos.',
  Italian:
    'Una casetta da giardino ha bisogno di una base piana che resti asciutta in inverno. Si possono posare lastre sulla ghiaia o versare il calcestruzzo se il terreno è morbido. Il tetto deve sostenere la neve della zona e la porta deve essere abbastanza larga per le cose che si conservano.',
  Dutch:
    'Een tuinhuis heeft een vlakke ondergrond nodig die in de winter droog blijft. Je kunt tegels op grind leggen of beton storten als de grond zacht is. Het dak moet de sneeuw van de streek dragen, en de deur moet breed genoeg zijn voor de dingen die je er jaren in wilt bewaren.',
  Swedish:
    'Ett trädgårdsskjul behöver en plan grund som är torr på vintern. Du kan lägga plattor på grus eller gjuta betong om marken är mjuk. Taket ska bära snön i din region, och dörren måste vara bred nog för det som du vill ha där i många år, till exempel en cykel och en gräsklippare.',
  Danish:
    'Et haveskur har brug for en plan bund, der er tør om vinteren. Du kan lægge fliser på grus eller støbe beton, hvis jorden er blød. Taget skal kunne bære sneen i din egn, og døren skal være bred nok til det, som du vil have stående der i mange år, for eksempel en cykel og en plæneklipper.',
  Norwegian:
    'Et hageskur trenger et plant underlag som er tørt om vinteren. Du kan legge heller på grus eller støpe betong hvis bakken er myk. Taket skal tåle snøen i området, og døren må være bred nok for det du vil ha der i mange år, for eksempel en sykkel og en gressklipper som ikke skal stå ute.',
  Polish:
    'Domek ogrodowy potrzebuje równej podstawy, która zimą jest sucha. Można położyć płyty na żwirze albo wylać beton, jeśli grunt jest miękki. Dach powinien przez zimę utrzymać śnieg, a drzwi muszą być dość szerokie na to, co się w nim trzyma przez lata, bo nie jest to łatwe do zmiany.',
  Czech:
    'Zahradní domek potřebuje rovný základ, který je v zimě suchý. Je možné položit dlaždice na štěrk nebo udělat betonovou desku, pokud je půda měkká. Střecha by měla unést sníh a dveře jsou dost široké pro věci, které se v něm mají po léta skladovat, jako je kolo nebo sekačka na trávu.',
  Finnish:
    'Pihavaja tarvitsee tasaisen pohjan, joka on kuiva myös talvella. Voit laskea laatat soran päälle tai valaa betonin, jos maa on pehmeä. Katon on kestettävä lumi, ja oven tulee olla niin leveä, että kaikki tavarat mahtuvat sisään, kun niitä ei tarvita. Se ei ole vaikea työ, mutta aikaa se vie.',
  Hungarian:
    'A kerti háznak egyenes alap kell, amely télen is száraz. Ha a talaj puha, akkor lehet betont önteni, vagy a kavicsra lapokat rakni. A tető legyen erős, hogy a hó ne nyomja be, és az ajtó elég széles legyen azoknak a dolgoknak, amelyek ott vannak. Ez nem nehéz munka, de idő kell hozzá, és az is fontos.',
  Turkish:
    'Bir bahçe kulübesi kışın da kuru kalan düz bir zemin ister. Zemin yumuşak ise beton dökmek ya da çakıl üzerine plaka koymak mümkün. Çatı bölgenin karını taşıyacak kadar güçlü olmalı ve kapı orada saklanacak şeyler için geniş olmalı. Bu zor bir iş değil ama daha çok zaman ister ve sonra kolay olur.',
  Russian:
    'Садовому домику нужно ровное основание, которое зимой остаётся сухим. Можно положить плиты на гравий или залить бетон, если земля мягкая. Крыша должна выдержать снег, а дверь может быть такой, чтобы в неё прошли все вещи, которые вы хотите там хранить, и это не так трудно, как кажется.',
  Ukrainian:
    'Садовому будиночку потрібна рівна основа, яка взимку залишається сухою. Можна покласти плити на гравій або залити бетон, якщо земля м’яка. Дах має витримати сніг, а двері мають бути такими, щоб у них пройшли всі речі, які ви хочете там зберігати, і це не так важко, як здається.',
  Bulgarian:
    'Градинската къща има нужда от равна основа, която да е суха и през зимата. Може да се поставят плочи върху чакъл или да се излее бетон, ако земята е мека. Покривът трябва да носи снега на района, а вратата да е широка за нещата, които ще са в нея, и това не е трудно за правене.',
  Greek:
    'Μια αποθήκη κήπου χρειάζεται μια επίπεδη βάση που μένει στεγνή τον χειμώνα. Μπορείτε να βάλετε πλάκες πάνω σε χαλίκι ή να ρίξετε μπετόν αν το έδαφος είναι μαλακό. Η στέγη πρέπει να αντέχει το χιόνι και η πόρτα να είναι αρκετά φαρδιά για όσα θέλετε να φυλάξετε.',
  Arabic:
    'يحتاج كوخ الحديقة إلى قاعدة مستوية تبقى جافة في الشتاء. يمكن وضع البلاط على الحصى أو صب الخرسانة إذا كانت الأرض لينة. يجب أن يحمل السقف الثلج، كما أن الباب يجب أن يكون واسعا بعد ذلك لكل الأشياء التي تريد حفظها في الداخل من دون أن تبتل، وهذا ما يحتاج إليه كل بيت في المنطقة.',
  Persian:
    'یک کلبه باغ به پایه‌ای صاف نیاز دارد که در زمستان هم خشک بماند. می توان سنگ‌ها را بر روی شن گذاشت یا بتن ریخت اگر زمین نرم است. سقف باید برف را تحمل کند و در باید برای چیزهایی که در آن است پهن باشد. این کار سخت نیست اما زمان می برد و برای هر خانه با باغ خوب است که آن را داشته باشد.',
  Hebrew:
    'מחסן גינה צריך בסיס ישר שנשאר יבש בחורף. אפשר להניח אריחים על חצץ או לצקת בטון אם הקרקע רכה. הגג צריך לשאת את השלג של האזור, והדלת צריכה להיות רחבה מספיק לדברים שרוצים לשמור בו במשך שנים רבות, כמו אופניים ומכסחת דשא גדולה, וגם כלים קטנים שאין להם מקום אחר בבית.',
  Japanese:
    '庭の物置には、冬でも乾いたままの水平な土台が必要です。地面が柔らかい場合は、砂利の上に板石を敷くか、コンクリートを流します。屋根は地域の雪に耐えられるものにし、扉は中にしまう物が通るだけの幅にしてください。長く使うためには、木材に毎年塗料を塗ることも大切です。湿気がこもらないように、風の通り道も作っておきましょう。鍵は錆びにくいものを選ぶと、何年も安心して使えます。',
  'Chinese (Simplified)':
    '花园小屋需要一个平整的地基，冬天也要保持干燥。如果土地松软，可以在碎石上铺石板，或者浇筑混凝土。屋顶应当承受当地的积雪，门要足够宽，方便存放多年的物品。每年给木材刷一次油漆，可以延长使用寿命。为了避免潮湿，应当留出通风口，让空气流动。锁具最好选择不易生锈的材料，这样多年以后仍然好用。购买之前，先量好尺寸，再问问每天使用它的人最需要什么，最后决定放在院子的哪个角落最合适，这样才不会后悔。',
  Korean:
    '정원 창고에는 겨울에도 마른 상태를 유지하는 평평한 바닥이 필요합니다. 땅이 무르면 자갈 위에 판석을 깔거나 콘크리트를 부을 수 있습니다. 지붕은 그 지역의 눈을 견뎌야 하고, 문은 안에 보관할 물건이 들어갈 만큼 넓어야 합니다. 나무에는 해마다 페인트를 칠하는 것이 좋습니다. 습기가 차지 않도록 바람이 통하는 길도 만들어 두세요. 자물쇠는 녹이 잘 슬지 않는 것을 고르면 오래 쓸 수 있습니다. 사기 전에 먼저 크기를 재어 보세요.',
}

describe('the language of a text', () => {
  it.each(Object.entries(TEXTS))('%s is recognized as the project’s own', (language, text) => {
    expect(compareLanguage(text, language)).toEqual({ kind: 'own' })
  })

  const SCANDINAVIAN = new Set(['Danish', 'Norwegian', 'Swedish'])
  it.each(Object.entries(TEXTS))('%s is another in a project of any other language', (language, text) => {
    for (const other of Object.keys(TEXTS)) {
      if (other === language || (SCANDINAVIAN.has(other) && SCANDINAVIAN.has(language))) continue
      const found = compareLanguage(text, other)
      expect(found, other).toMatchObject({ kind: 'other' })
      if (!SCANDINAVIAN.has(language)) expect(found, other).toHaveProperty('other', language.replace(/ \(.*/, ''))
    }
  })

  it.each([
    ['a short text', 'Oak lasts long.', 'German'],
    ['names alone', 'Galley Acme Contoso Initech Umbrella Hooli Globex Vandelay '.repeat(8), 'German'],
    ['a mixture', `${TEXTS.Russian} ${TEXTS.English}`, 'Greek'],
    ['a close language', TEXTS.Danish ?? '', 'Norwegian'],
  ])('cannot be told of %s', (_, text, language) => expect(compareLanguage(text, language).kind).not.toBe('other'))

  it('is read in bounded time', () => {
    const startedAt = cpuMs()
    compareLanguage('word '.repeat(100_000), 'German')
    expect(cpuMs() - startedAt).toBeLessThan(1_000)
  })
})

it.each<[SeoCheck, string, Partial<SeoExpectations>]>([
  ['model_marks', '<h2>Oak</h2><p>Oak lasts【4:1†source】.</p>', {}],
  ['assistant_words', '<h2>Oak</h2><p>As an AI language model, I like oak.</p>', {}],
  ['language', `<h2>Oak</h2><p>${TEXTS.English}</p>`, { language: 'German' }],
])('%s is a warning for callers and an error for the service’s own writer', (check, html, changes) => {
  const severity = (byWriter: boolean) =>
    checkArticle(readDocument(html), { ...GIVEN, ...changes, byWriter }).failed.find((one) => one.check === check)
      ?.severity
  expect([severity(false), severity(true)]).toEqual(['warning', 'error'])
})
