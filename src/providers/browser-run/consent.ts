/** Containers of widely used consent tools. Any that remain after the clicks are hidden. */
const CONTAINERS = [
  '#onetrust-consent-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '#didomi-host',
  '.qc-cmp2-container',
  '#truste-consent-track',
  '.truste_overlay',
  '.truste_box_overlay',
  '.osano-cm-window',
  '.cky-consent-container',
  '.cky-overlay',
  '#iubenda-cs-banner',
  '#termly-code-snippet-support',
  '.fc-consent-root',
  '#cmplz-cookiebanner-container',
  '.cmplz-cookiebanner',
  '#BorlabsCookieBox',
  '.klaro',
  '#axeptio_overlay',
  '#hs-eu-cookie-confirmation',
  '#hs-banner-parent',
  '#shopify-pc__banner',
  '#tarteaucitronRoot',
  '#cookie-law-info-bar',
  '#cookie-notice',
  '#cc-main',
  '.cc-window.cc-banner',
  '#moove_gdpr_cookie_info_bar',
  '#sp-cc',
  '[id^="sp_message_container"]',
  '#gdpr-consent-tool-wrapper',
  'tp-yt-iron-overlay-backdrop',
  '#consent-bump',
]

/** Buttons of these tools that refuse consent. */
const REFUSALS = [
  '#onetrust-reject-all-handler',
  '#CybotCookiebotDialogBodyButtonDecline',
  '#didomi-notice-disagree-button',
  '.osano-cm-denyAll',
  '.cky-btn-reject',
  '.iubenda-cs-reject-btn',
  '.cmplz-deny',
  '.cn-decline',
  '#hs-eu-decline-button',
  '#axeptio_btn_dismiss',
  '#tarteaucitronAllDenied2',
  '.cc-deny',
  '.fc-cta-do-not-consent',
  '#shopify-pc__banner__btn-decline',
]

/** Words for the subject of a banner, in the languages of most sites. Some of them also mean biscuits. */
const SUBJECT =
  'cookie|consent|gdpr|ccpa|dsgvo|datenschutz|einwilligung|privacidad|privadesa|confidentialit|confidențial|informativa|consentimento|' +
  'consentement|consentimiento|privacy|privatliv|personvern|integritet|prywatno|soukrom|súkrom|yksityisyy|adatvédel|' +
  'informasjonskaps|kakor|eväste|süti|ciastecz|küpsis|sīkdat|slapuk|kolačić|колачић|piškot|бисквитк|çerez|kişisel veri|' +
  'персональн|куки|кукі|απορρήτου|ملفات تعريف الارتباط|الخصوصية|کوکی|עוגיות|פרטיות|कुकी|কুকি|คุกกี้|quyền riêng tư|' +
  'クッキー|個人情報|쿠키|개인정보|隐私|隱私'

/** Beginnings of the labels of buttons that agree. */
const AGREE_WORDS =
  "accept|agree|allow|i accept|i agree|ok(?:ay)?$|got it|understood|akzept|zustimm|einverstanden|alle annehmen|verstanden|j’accepte|j'accepte|tout accepter|" +
  'aceptar|acepto|acceptar|accett|aceitar|aceito|concordo|akkoord|toestaan|godkänn|tillåt|jag godkänner|tillad|godta|tillat|jeg godtar|' +
  'hyväksy|salli|elfogad|rendben|akceptuj|zgadzam|zezwól|přijmout|přijmu|souhlas|povolit|prijať|súhlas|povoliť|prihva|slažem|sprejm|strinjam|' +
  'прихвати|прихватам|принять|принимаю|соглас|прийняти|погодж|приемам|съглас|αποδοχή|αποδέχομαι|συμφωνώ|kabul|tamam|onayla|terima|setuju|benarkan|' +
  'đồng ý|chấp nhận|ยอมรับ|ตกลง|nõustu|luban|piekrīt|apstipr|sutink|priimti|accepta|sunt de acord|同意|接受|允许|允許|許可|承諾|동의|수락|확인|' +
  'موافق|أوافق|قبول|پذیر|موافقم|אישור|מסכים|קבל|स्वीकार|সম্মত|গ্রহণ'

/** Beginnings of the labels of buttons that refuse. */
const REFUSE_WORDS =
  'reject|decline|deny|refuse|disagree|do not accept|don’t accept|do not consent|no, thanks|no thanks|only necessary|necessary only|' +
  'only essential|essential only|use necessary|accept necessary|accept only|continue without|strictly necessary|' +
  'ablehnen|alle ablehnen|nur notwendige|nur erforderliche|nur essenzielle|nur technisch|nicht zustimmen|weiter ohne|' +
  'rechaz|solo necesari|solo las necesari|sólo necesari|continuar sin|refus|tout refus|continuer sans|rebutj|només necess|només les necess|' +
  'rifiut|solo necessari|continua senza|rejeit|recus|apenas necess|somente necess|weiger|alleen noodz|afwijzen|alles afwijzen|' +
  'odrzu|nie zgadzam|tylko niezb|odmítn|pouze nezb|jen nezb|odmietn|iba nevyhn|len nevyhn|avvisa|neka|endast nödv|bara nödv|avslå|avvis|kun nødv|' +
  'afvis|hylkää|kiellä|vain välttäm|vain pakoll|elutas|csak a szüks|csak szüks|odbij|samo nužn|samo neophod|одбиј|само неопход|zavrn|samo nujn|' +
  'respinge|refuz|doar necesar|doar cele necesar|отклон|отказ|только необходим|відхил|відмов|лише необхід|тільки необхід|откажи|отхвърл|само необходим|' +
  'απόρριψη|απορρίπτω|μόνο απαραίτ|μόνο τα απαραίτ|reddet|tümünü reddet|yalnızca gerek|sadece gerek|keeldu|lükka tagasi|ainult vajal|noraid|tikai nepiec|' +
  'atmest|nesutink|tik būtin|tolak|hanya yang|từ chối|chỉ cần|ปฏิเสธ|拒否|すべて拒否|同意しない|必要なもののみ|拒绝|全部拒绝|仅必要|拒絕|全部拒絕|僅必要|거부|모두 거부|거절|' +
  'رفض|رد کردن|رد همه|דחה|דחייה|סרב|अस्वीकार|প্রত্যাখ্যান'

/** Words for "use" close to the subject. A banner without an agree button contains them. */
const USE_WORDS =
  'uses?|using|accept|agree|verwende|nutz|setz|utilis|usa|utiliz|emplea|gebruik|använd|bruger|bruker|käytt|használ|używ|použív|korist|uporab|' +
  'использ|використ|използв|користи|χρησιμοποι|kullan|menggunakan|sử dụng|ใช้|使用|利用|사용|نستخدم|استفاده|משתמש|kasuta|izmanto|naudoj|folos'

/**
 * Helpers for the scripts below: they find all elements, also in shadow roots, and decide which are visible.
 *
 * `passClosedRoots` of places.ts sets `closedRoots` in the isolated world of the scripts.
 */
const HELPERS = `
  const rootOf = (e) => e.shadowRoot ?? globalThis.closedRoots?.get(e);
  const everything = (root) => [...root.querySelectorAll('*')].flatMap((e) => (rootOf(e) ? [e, ...everything(rootOf(e))] : [e]));
  const isSeen = (e) => {
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    return box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth &&
      style.visibility !== 'hidden' && style.display !== 'none' && Number(style.opacity) > 0.05;
  };
  const shadowWordsOf = (e) => [...(rootOf(e)?.children ?? [])].map((c) => c.innerText || '').join(' ');
  const wordsOf = (e) => [e.innerText || '', shadowWordsOf(e), ...everything(rootOf(e) ?? e).map(shadowWordsOf)].filter(Boolean).join(' ');
  const SUBJECT = /${SUBJECT}/i;
  const USED = /(?:${USE_WORDS})[^.!?]{0,12}(?:${SUBJECT})|(?:${SUBJECT})[^.!?]{0,12}(?:${USE_WORDS})/i;
  const AGREES = /^(?:${AGREE_WORDS})/i;
  const REFUSES = /^(?:${REFUSE_WORDS})/i;
  const labelOf = (b) => (b.innerText || b.value || b.getAttribute('aria-label') || '').trim();
  const isLabel = (b, words) => labelOf(b).length < 60 && words.test(labelOf(b));
  const buttonsIn = (e) => [...everything(e), ...(rootOf(e) ? everything(rootOf(e)) : [])]
    .filter((b) => b.matches('button, [role=button], a, input[type=button], input[type=submit]') && isSeen(b));
  const isOverlay = (e) => {
    const style = getComputedStyle(e);
    if (e.matches('dialog[open], [aria-modal=true], [role=dialog], [role=alertdialog]')) return true;
    return style.position === 'fixed' || style.position === 'sticky' || (style.position === 'absolute' && Number(style.zIndex) >= 100);
  };
  const isConsent = (words, buttons) =>
    words.length < 6000 && SUBJECT.test(words) && buttons.some((b) => isLabel(b, AGREES) || isLabel(b, REFUSES));
  // The whole of a frame may be a banner that the page around it lays over itself.
  const framed = () => (window !== top && document.body && isConsent(wordsOf(document.body), buttonsIn(document.body)) ? [document.body] : []);
  const banners = () => [...framed(), ...everything(document.documentElement).filter((e) => {
    if (!isOverlay(e) || !isSeen(e)) return false;
    const box = e.getBoundingClientRect();
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    if (width * height < innerWidth * innerHeight * 0.03) return false;
    const words = wordsOf(e);
    if (words.length >= 6000 || !SUBJECT.test(words)) return false;
    const buttons = buttonsIn(e);
    if (isConsent(words, buttons)) return true;
    // A shop's bar about its biscuits and a menu with a link to the rules on privacy are none.
    return buttons.length > 0 && !e.closest('header, nav, [role=navigation], [role=banner]') && USED.test(words);
  })];
`

/** Function that returns true if the element of a frame covers the page, by itself or inside an overlay. */
export const COVERS_PAGE = `function () {
  ${HELPERS}
  const box = this.getBoundingClientRect();
  if (!isSeen(this) || box.width * box.height < innerWidth * innerHeight * 0.03) return false;
  for (let e = this; e; e = e.parentElement ?? e.getRootNode().host) if (isOverlay(e)) return true;
  return false;
}`

/** Script that refuses consent banners and hides the remaining containers of known tools. Returns how many elements it touched. */
export const REFUSE_CONSENT = `(async () => {
  ${HELPERS}
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  let touched = 0;
  for (const selector of ${JSON.stringify(REFUSALS)}) {
    const button = everything(document.documentElement).find((e) => e.matches(selector) && isSeen(e));
    if (button) { button.click(); touched += 1; }
  }
  if (touched > 0) await pause(400);
  for (const banner of banners()) {
    const button = buttonsIn(banner).find((b) => {
      const leaves = b.tagName === 'A' && b.hasAttribute('href') && !/^(#|javascript:)/i.test(b.getAttribute('href'));
      return !leaves && isLabel(b, REFUSES);
    });
    if (button) { button.click(); touched += 1; }
  }
  if (touched > 0) await pause(600);
  for (const element of everything(document.documentElement))
    if (${JSON.stringify(CONTAINERS)}.some((selector) => element.matches(selector))) {
      element.style.setProperty('display', 'none', 'important');
      touched += 1;
    }
  if (touched > 0)
    for (const element of [document.documentElement, document.body]) {
      if (!element) continue;
      const style = getComputedStyle(element);
      if (style.overflowY === 'hidden') element.style.setProperty('overflow', 'auto', 'important');
      if (style.position === 'fixed') element.style.setProperty('position', 'static', 'important');
    }
  return touched;
})()`

/** Script that reads the `Findings` of a page. */
export const READ_PAGE = `(() => {
  ${HELPERS}
  const meta = [...document.querySelectorAll('meta[name], meta[property]')]
    .filter((m) => /title|site_name|application-name|description|author|publisher/i.test(m.getAttribute('name') || m.getAttribute('property')))
    .map((m) => m.content);
  const labels = [...document.querySelectorAll('img[alt], [aria-label], svg title, [title]')].slice(0, 2000)
    .map((e) => e.getAttribute('alt') || e.getAttribute('aria-label') || e.getAttribute('title') || e.textContent || '');
  const data = [...document.querySelectorAll('script[type="application/ld+json"]')].map((e) => e.textContent.slice(0, 20000));
  const text = everything(document.documentElement).map(shadowWordsOf).filter(Boolean);
  return {
    title: document.title,
    text: [(document.body ? document.body.innerText : '') || '', ...text].join('\\n').slice(0, 300000),
    named: [...meta, ...labels, ...data].join('\\n').slice(0, 200000),
    frames: [...document.querySelectorAll('iframe[src]')].slice(0, 50).map((f) => f.src),
    banner: banners().length > 0,
  };
})()`
