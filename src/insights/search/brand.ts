import { lettersOf } from '../../platform/lib/names/letters.ts'
import { namesOf, spansOf } from '../../platform/lib/names/names.ts'

/** Names below which anyone has a site of their own: the label before them is the site's. */
const SHARED =
  'github.io gitlab.io pages.dev workers.dev netlify.app vercel.app herokuapp.com web.app firebaseapp.com appspot.com run.app fly.dev onrender.com surge.sh wordpress.com wpcomstaging.com blogspot.com tumblr.com substack.com ghost.io hashnode.dev medium.com wixsite.com wixstudio.com editorx.io weebly.com squarespace.com myshopify.com webflow.io framer.app framer.website framer.ai carrd.co notion.site strikingly.com jimdosite.com jimdofree.com webnode.page webnode.com site123.me godaddysites.com mystrikingly.com hubspotpagebuilder.com bigcartel.com ecwid.com azurewebsites.net azurestaticapps.net cloudfront.net s3.amazonaws.com readthedocs.io neocities.org bitbucket.io codeberg.page livejournal.com typepad.com over-blog.com hatenablog.com fc2.com tistory.com business.site co.com uk.com us.com eu.com de.com gb.com uk.net gb.net'.split(
    ' ',
  )

/** Second parts of addresses under which countries register: `co` in `co.uk`. */
const SECOND = 'ac co com edu gen go gob gouv gov gv ltd mil ne net nom or org plc sch'.split(' ')

/** Returns the number of labels at the end of a host that are no site's own. */
const suffixOf = (host: string, labels: readonly string[]): number => {
  const shared = SHARED.find((one) => host.endsWith(`.${one}`))
  if (shared !== undefined) return shared.split('.').length
  return labels.length > 2 && labels.at(-1)?.length === 2 && SECOND.includes(labels.at(-2) ?? '') ? 2 : 1
}

/** The name in a site's address: `shop` in `www.shop.co.uk/blog`, `acme` in `acme.github.io`. */
const siteName = (websiteKey: string): string => {
  const host =
    websiteKey
      .split('/')[0]
      ?.split(':')[0]
      ?.toLowerCase()
      .replace(/^www\./, '') ?? ''
  if (/^[\d.]+$/.test(host)) return ''
  const labels = host.split('.')
  return labels.at(-suffixOf(host, labels) - 1) ?? ''
}

const MIN_BRAND = 2

/**
 * Returns a judge of queries: whether one contains the business's or the site's name as whole words, without regard to case, blanks,
 * punctuation, article and legal form.
 */
export const brandMatcher = (businessName: string, websiteKey: string): ((query: string) => boolean) => {
  const names = [...namesOf(businessName), ...namesOf(siteName(websiteKey))].filter(
    ({ letters }) => letters.length >= MIN_BRAND,
  )
  return (query) => {
    const readings = [lettersOf(query), lettersOf(query, true)]
    return names.some((name) => readings.some((letters) => spansOf(name, letters, 'query').length > 0))
  }
}
