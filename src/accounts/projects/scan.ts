import type { Ctx } from '../../platform/runtime/ctx.ts'
import { notActive } from './archived.ts'
import { askForScan } from './ask-for-scan.ts'
import { getProject } from './read.ts'

const MESSAGES = {
  started:
    'The site is scanned in the background: its settings, its pages for internal links, and what it is about. This spends nothing.',
  already_running: 'The site is being scanned already, so no second scan was started.',
}

const answerOf = (id: number, status: keyof typeof MESSAGES) => ({
  project_id: id,
  status,
  message: `${MESSAGES[status]} setup.site_scan in GET /projects/${id} says how far it is.`,
  status_path: `/projects/${id}`,
})

/** Scans the site of an active project, unless a scan is under way. Throws 404, also for an archived project, 403. */
export const scanProject = async (ctx: Ctx, id: number) => {
  const project = await getProject(ctx, id)
  if (project.status !== 'Active') throw notActive(id)
  const account = await ctx.account()
  const answer = answerOf(id, 'started')
  return (await askForScan(ctx, account.id, id, answer)) ? answer : answerOf(id, 'already_running')
}
