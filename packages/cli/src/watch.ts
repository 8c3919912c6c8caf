import { setTimeout as sleep } from 'node:timers/promises'
import type { Galley, Ops } from '../../client/src/index.ts'
import { paint } from './output.ts'

type Article = Ops['articlesGet']['result']

/** An article may be read 30 times a minute. */
const POLL_MS = 2500
const WIDTH = 24

const bar = (percent: number): string => {
  const full = Math.round((WIDTH * percent) / 100)
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${String(percent).padStart(3)} %`
}

const stateOf = ({ Status, PublishState, Progress }: Article): string =>
  Progress
    ? `${bar(Progress.percent)}  ${Progress.label}`
    : `${Status}${PublishState && PublishState !== 'idle' ? `, ${PublishState}` : ''}`

/** True while the service is writing or sending the article. */
const isMoving = ({ Status, PublishState }: Article): boolean =>
  Status === 'Generating' || PublishState === 'publishing' || PublishState === 'retrying' || PublishState === 'unknown'

/**
 * Reads an article until the service is done with it.
 *
 * Shows the progress on stderr: as a bar on a terminal, otherwise as a line for each change.
 */
export const watch = async (galley: Galley, id: number): Promise<{ article: Article; isGood: boolean }> => {
  const { stderr } = process
  let before = ''
  for (;;) {
    const article = await galley.articlesGet({ path: { id } })
    const state = stateOf(article)
    if (stderr.isTTY) stderr.write(`\r\u001b[K${paint(stderr, 'bold', state)}`)
    else if (state !== before) stderr.write(`${state}\n`)
    before = state
    if (!isMoving(article)) {
      if (stderr.isTTY) stderr.write('\n')
      return { article, isGood: article.PublishState !== 'failed' }
    }
    await sleep(POLL_MS)
  }
}
