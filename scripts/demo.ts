import { type Example, readExample, withPictures } from './demo/example.ts'
import { publishOnce, submitArticle } from './demo/publishing.ts'
import { recoverFromOutage } from './demo/recovery.ts'
import { publishOnSchedule } from './demo/schedule.ts'
import { readOptions, USAGE } from './demo/service.ts'
import { connectReceiver, makeProject, readContext } from './demo/setup.ts'
import { Anything } from './demo/shapes.ts'
import { createStage, type Stage } from './demo/stage.ts'
import { improveArticle } from './demo/suggestions.ts'
import { createTour } from './demo/tour.ts'
import { readBrief, writeFromNotes } from './demo/writing.ts'

/** The first run of a project has the keyword to itself; later runs put their own mark behind it. */
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

const main = async (): Promise<number> => {
  const colours = process.stdout.isTTY === true && !process.env.NO_COLOR
  const tour = createTour(process.stdout, colours)
  let stage: Stage | undefined
  try {
    const options = readOptions(process.argv.slice(2))
    if (!options) {
      process.stdout.write(USAGE)
      return 0
    }
    stage = createStage(options, tour, Date.now().toString(36))
    await walk(stage)
    tour.ok(`Everything checked out. The blog is at ${stage.service.receiver_url}`)
    return 0
  } catch (error) {
    tour.failure(error)
    // A blog left down would make the next run fail for another reason.
    await stage?.receiver('POST', '/_control', { 200: Anything }, { body: { mode: 'ok' }, quiet: true }).catch(() => {})
    return 1
  }
}

process.exitCode = await main()
