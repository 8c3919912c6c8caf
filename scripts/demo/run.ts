import { type Example, readExample, withPictures } from './example.ts'
import type { Given } from './options.ts'
import { publishOnce, submitArticle } from './publishing.ts'
import { recoverFromOutage } from './recovery.ts'
import { publishOnSchedule } from './schedule.ts'
import { checkAnswers, readOptions } from './service.ts'
import { connectReceiver, makeProject, readContext } from './setup.ts'
import { Anything } from './shapes.ts'
import { createStage, type Stage } from './stage.ts'
import { improveArticle } from './suggestions.ts'
import { createTour } from './tour.ts'
import { readBrief, writeFromNotes } from './writing.ts'

/**
 * Returns the example for this run. The first run of a project uses the keyword alone; later runs append their own
 * mark.
 */
const forRun = (example: Example, existed: boolean, run: string): Example =>
  existed ? { ...example, keyword: `${example.keyword} ${run}` } : example

const walk = async (stage: Stage): Promise<void> => {
  const { projectId, existed } = await makeProject(stage)
  await readContext(stage, projectId)
  await connectReceiver(stage, projectId)
  const example = forRun(withPictures(readExample(), new URL(stage.service.receiver_url).origin), existed, stage.run)
  const articleId = await submitArticle(stage, projectId, example)
  await readBrief(stage, articleId)
  await publishOnce(stage, articleId, example.title)
  await writeFromNotes(stage, projectId)
  await improveArticle(stage)
  await recoverFromOutage(stage, projectId, example)
  if (!stage.skipSchedule) await publishOnSchedule(stage, projectId, example)
}

/** Runs the workflow. Returns the exit code. */
export const run = async (given: Given): Promise<number> => {
  const colours = process.stdout.isTTY === true && !process.env.NO_COLOR
  const tour = createTour(process.stdout, colours)
  let stage: Stage | undefined
  try {
    const options = readOptions(given)
    await checkAnswers(options)
    stage = createStage(options, tour, Date.now().toString(36))
    await walk(stage)
    tour.ok(`Everything checked out. The blog is at ${stage.service.receiver_url}`)
    return 0
  } catch (error) {
    tour.failure(error)
    // If the blog stayed down, the next run would fail for another reason.
    await stage?.receiver('POST', '/_control', { 200: Anything }, { body: { mode: 'ok' }, quiet: true }).catch(() => {})
    return 1
  }
}
