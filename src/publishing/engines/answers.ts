import * as z from 'zod/mini'
import { ENGINE_HOST_STATES } from '../../../schema/values/engines.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { engineOperations } from './operations.ts'

const host = z.strictObject({
  origin: means('Scheme and host of pages of the project.', z.string()),
  key_url: means('URL at which the key file must be. It covers the pages in its folder and below.', z.string()),
  state: means(
    '`not_placed`: the file was not there at the last look, so nothing is reported. `verified`: it was there. `refused`: search engines refused the key three times although it is there; make a new one.',
    z.enum(ENGINE_HOST_STATES),
  ),
  looked_at: means('Time of the last look at the file. Null before the first.', z.nullable(instant())),
  verified_at: means('Time of the last look, if the file was there. Null if it was not.', z.nullable(instant())),
  problem: means(
    'Reason why the file was not there, or why the key was refused. Null if there is none.',
    z.nullable(z.string()),
  ),
})

const report = z.strictObject({
  url: selfExplanatory(z.string()),
  article_id: means('ID of the article. Null if it was deleted, or has another URL by now.', z.nullable(id())),
  removed: means('True if the page was reported as removed.', z.boolean()),
  at: means('Time of the report.', instant()),
  answer: means(
    'HTTP status of IndexNow. 200: taken. 202: taken, key not checked yet. 400 and 422: refused. None of them means that a page was read or is listed.',
    z.int(),
  ),
})

const state = {
  project_id: projectId(),
  tell_search_engines: means('Setting of the project. If false, nothing is reported.', z.boolean()),
  key: means('Key of the project. It is public: the key file has it.', z.string()),
  key_file: means(
    'File to place at each host, if the connected site does not get it by itself.',
    z.strictObject({ name: means('Name of the file.', z.string()), content: means('Whole content.', z.string()) }),
  ),
  hosts: means('Hosts of the newest live articles; before the first article, the host of the site.', z.array(host)),
  waiting: means('Number of URLs whose change is not reported yet.', count()),
  reports: means('Last 20 reports, newest first.', z.array(report)),
}

/** Answers of the operations on what search engines are told. */
export const engineAnswers = {
  show: { 200: body(state) },
  verify: { 200: body({ ...state, message: message() }) },
} satisfies AnswersOf<typeof engineOperations>
