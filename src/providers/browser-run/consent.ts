/** Containers of widely used consent tools; hidden when nothing in them could be clicked. */
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

/** Buttons by which these tools take a refusal. */
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

/** Words for the subject of a banner, in the languages of most sites. */
const SUBJECT =
  'cookie|consent|gdpr|ccpa|dsgvo|datenschutz|einwilligung|privacidad|confidentialit|informativa|consentimento|consentement|privacy|персональн|куки|クッキー|個人情報|쿠키|隐私|隱私'

/** Labels of the button that refuses: the whole label, or its beginning. */
const REFUSE_WORDS = [
  'reject',
  'decline',
  'deny',
  'refuse',
  'disagree',
  'do not accept',
  'no, thanks',
  'no thanks',
  'only necessary',
  'necessary only',
  'only essential',
  'essential only',
  'use necessary',
  'accept necessary',
  'accept only',
  'continue without',
  'ablehnen',
  'alle ablehnen',
  'nur notwendige',
  'nur erforderliche',
  'nur essenzielle',
  'rechazar',
  'solo necesarias',
  'refuser',
  'tout refuser',
  'continuer sans',
  'rifiuta',
  'solo necessari',
  'rejeitar',
  'recusar',
  'weigeren',
  'alleen noodzakelijke',
  'odrzu',
  'odmítnout',
  'avvisa',
  'avslå',
  'afvis',
  'neka',
  'отклон',
  'отказ',
  'только необходим',
  'reddet',
  '拒否',
  '拒绝',
  '拒絕',
  '거부',
]

/** Shared by the scripts below: everything on the page, also below open shadow roots, and what of it is seen. */
const HELPERS = `
  const everything = (root) => [...root.querySelectorAll('*')].flatMap((e) => (e.shadowRoot ? [e, ...everything(e.shadowRoot)] : [e]));
  const isSeen = (e) => {
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    return box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth &&
      style.visibility !== 'hidden' && style.display !== 'none' && Number(style.opacity) > 0.05;
  };
  const wordsOf = (e) => (e.innerText || '') + (e.shadowRoot ? ' ' + [...e.shadowRoot.children].map((c) => c.innerText || '').join(' ') : '');
  const SUBJECT = /${SUBJECT}/i;
  const buttonsIn = (e) => [...everything(e), ...(e.shadowRoot ? everything(e.shadowRoot) : [])]
    .filter((b) => b.matches('button, [role=button], a, input[type=button], input[type=submit]') && isSeen(b));
  const isOverlay = (e) => {
    const style = getComputedStyle(e);
    if (e.matches('dialog[open], [aria-modal=true], [role=dialog], [role=alertdialog]')) return true;
    return style.position === 'fixed' || style.position === 'sticky' || (style.position === 'absolute' && Number(style.zIndex) >= 100);
  };
  const banners = () => everything(document.documentElement).filter((e) => {
    if (!isOverlay(e) || !isSeen(e)) return false;
    const box = e.getBoundingClientRect();
    const width = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    if (width * height < innerWidth * innerHeight * 0.03) return false;
    const words = wordsOf(e);
    return words.length < 6000 && SUBJECT.test(words) && buttonsIn(e).length > 0;
  });
`

/** Answers consent banners with a refusal, and hides the containers of known tools that are still there. Gives how many it touched. */
export const REFUSE_CONSENT = `(async () => {
  ${HELPERS}
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  let touched = 0;
  for (const selector of ${JSON.stringify(REFUSALS)}) {
    const button = everything(document.documentElement).find((e) => e.matches(selector) && isSeen(e));
    if (button) { button.click(); touched += 1; }
  }
  if (touched > 0) await pause(400);
  const words = ${JSON.stringify(REFUSE_WORDS)};
  for (const banner of banners()) {
    const button = buttonsIn(banner).find((b) => {
      const label = (b.innerText || b.value || b.getAttribute('aria-label') || '').trim().toLowerCase();
      const leaves = b.tagName === 'A' && b.hasAttribute('href') && !/^(#|javascript:)/i.test(b.getAttribute('href'));
      return label.length < 60 && !leaves && words.some((word) => label.startsWith(word));
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
  const text = everything(document.documentElement).filter((e) => e.shadowRoot).map(wordsOf);
  return {
    title: document.title,
    text: [(document.body ? document.body.innerText : '') || '', ...text].join('\\n').slice(0, 300000),
    named: [...meta, ...labels, ...data].join('\\n').slice(0, 200000),
    frames: [...document.querySelectorAll('iframe[src]')].slice(0, 50).map((f) => f.src),
    banner: banners().length > 0,
  };
})()`
