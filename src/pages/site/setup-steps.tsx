import type { Child } from 'hono/jsx'
import type { ProjectRow } from '../../accounts/projects/present.ts'
import { sitePath } from '../menu.ts'
import { forPeople } from '../words.ts'
import { MarkPill } from './parts.tsx'

/** Step from the address of a site to its first article. */
export type Step = { title: string; state: 'done' | 'now' | 'trouble' | 'open'; body: Child }

const MARKS = {
  done: ['good', '●', 'Done'],
  now: ['accent', '…', 'Next'],
  trouble: ['bad', '▲', 'Look'],
  open: ['plain', '□', 'Later'],
} as const

/** Renders the steps of a site's setup. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <div class="card">
    <ol class="rows">
      {steps.map(({ title, state, body }) => {
        return (
          <li>
            <MarkPill mark={MARKS[state]} />
            <div>
              <strong>{title}</strong>
              {body}
            </div>
          </li>
        )
      })}
    </ol>
  </div>
)

/** Returns the step in which the service reads the site. */
export const scanStep = (project: ProjectRow, here: string): Step => {
  const again = (
    <form class="inline" method="post" action={`${here}/scan`}>
      <button class="plain" type="submit">
        Read it again
      </button>
    </form>
  )
  if (project.siteScanState === 'completed')
    return {
      title: 'The site is read',
      state: 'done',
      body: (
        <>
          <p>What was understood is below.</p>
          {project.siteScanError !== null && <p>{forPeople(project.siteScanError)}</p>}
        </>
      ),
    }
  if (project.siteScanState === 'failed')
    return {
      title: 'The site could not be read',
      state: 'trouble',
      body: (
        <>
          <p>{forPeople(project.siteScanError ?? '') || 'It did not answer.'} You can type below what it is about.</p>
          {again}
        </>
      ),
    }
  return {
    title: 'The site is being read',
    state: 'now',
    body: (
      <p>
        This takes a minute or two. <a href={here}>Look again</a>
      </p>
    ),
  }
}

/** Renders that a month is being planned, or the outcome with a link to the business settings. */
export const MonthNote = ({ project, here }: { project: ProjectRow; here: string }) => {
  const { onboardingState: state, onboardingError: error, onboardingNote: note } = project
  if (state === 'running')
    return (
      <p>
        Keywords are being found and a month is planned. This takes some minutes. <a href={here}>Look again</a>
      </p>
    )
  const said = error ?? note
  return said === null ? null : (
    <p>
      {forPeople(said)} <a href={sitePath(project.id, 'settings')}>Say more about the business</a>
    </p>
  )
}
