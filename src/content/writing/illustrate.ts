import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { WritingBrief } from '../articles/writing-brief.ts'
import { withPlayers } from '../html/players.ts'
import { type HostedImage, storeImage } from '../media/store.ts'
import { findVideo } from './find-video.ts'
import { altOf, type Placed, promptOf, sectionsIn, withPictures } from './illustration-rules.ts'
import type { Pictures } from './pictures-port.ts'
import { withVideo } from './video-rules.ts'
import { languageTagOf } from './wording.ts'

/** An article to be illustrated. `hasFeature`: its caller gave a feature image, which stays. */
type Article = { articleId: number; keyword: string; title: string; html: string; hasFeature: boolean }

/** An article with its pictures: the new HTML, the feature image where one was made, and all that is hosted for it. */
export type Illustrated = { html: string; feature: Placed | undefined; images: HostedImage[] }

const DEFAULT_COLOR = '#000000'

type Made = { placed: Placed; image: HostedImage }

/** Stores a picture; undefined where it cannot be hosted, which an article does without. */
const host = async (ctx: Ctx, bytes: Uint8Array<ArrayBuffer>, alt: string): Promise<Made | undefined> => {
  try {
    const image = await storeImage(ctx, bytes)
    const { url, width, height } = image
    return { placed: { url, width, height, alt: altOf(alt) }, image }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.log('warn', 'writing.picture_not_hosted', { code: error.code })
    return undefined
  }
}

const byModel = async (ctx: Ctx, { images }: Pictures, prompt: string, alt: string): Promise<Made | undefined> => {
  const result = await images.make(prompt)
  if (result.kind === 'failed') ctx.log('warn', 'writing.picture_failed', { reason: result.reason.slice(0, 200) })
  return result.kind === 'made' ? await host(ctx, result.bytes, alt) : undefined
}

const byCard = async (ctx: Ctx, { cards }: Pictures, brief: WritingBrief, title: string): Promise<Made | undefined> => {
  const siteName = brief.business.name || (URL.parse(brief.business.websiteUrl)?.hostname ?? '')
  const card = await cards.render({ title, brandColor: brief.illustrations?.brandColor ?? DEFAULT_COLOR, siteName })
  if (card.kind !== 'drawn') ctx.log('warn', 'writing.card_failed', { reason: card.reason.slice(0, 200) })
  return card.kind === 'drawn' ? await host(ctx, card.png, title) : undefined
}

/**
 * Makes the pictures of an article the service wrote, and finds a video if the project wants videos.
 *
 * The pictures are a feature image, and one for each major section by a model. The feature image is made by a model, else it is
 * a card with the title. It is always the card if the project wants the title on it. A picture that could not be made is left
 * out.
 */
export const illustrate = async (
  ctx: Ctx,
  pictures: Pictures,
  brief: WritingBrief,
  { keyword, title, html: written, hasFeature }: Article,
): Promise<Illustrated> => {
  const illustrations = brief.illustrations
  if (!illustrations) return { html: written, feature: undefined, images: [] }
  const html = illustrations.videos ? withPlayers(written) : written
  const feature = async (): Promise<Made | undefined> => {
    if (hasFeature) return undefined
    const drawn = illustrations.showsTitle
      ? undefined
      : await byModel(ctx, pictures, promptOf({ title, keyword }, illustrations), title)
    return drawn ?? (await byCard(ctx, pictures, brief, title))
  }
  const lacksVideo = illustrations.videos && html === written
  const video = lacksVideo ? findVideo(ctx, pictures.videos, keyword, languageTagOf(brief.language)) : undefined
  const [first, ...sections] = await Promise.all([
    feature(),
    ...sectionsIn(html).map(({ heading }) =>
      byModel(ctx, pictures, promptOf({ title, keyword, heading }, illustrations), heading),
    ),
  ])
  const found = await video
  const illustratedHtml = withPictures(
    html,
    sections.map((made) => made?.placed),
  )
  return {
    html: found ? withVideo(illustratedHtml, found) : illustratedHtml,
    feature: first?.placed,
    images: [first, ...sections].flatMap((made) => (made ? [made.image] : [])),
  }
}
