import { RETENTION_RULES } from '../../../schema/retention.ts'
import type { Legal } from '../../platform/runtime/legal.ts'
import { PROCESSORS, processorsIn } from '../../platform/runtime/processors.ts'
import { SitePage } from './frame.tsx'

const daysOf = (days: number): string => (days === 1 ? 'one day' : `${days} days`)

/** Returns the kinds of data in the database and how long each is kept, each line once. */
const stored = (): readonly (readonly [string, string])[] => {
  const lines = RETENTION_RULES.map(({ rule }): [string, string] => [
    rule.data,
    'kept' in rule ? rule.kept : (rule.said ?? daysOf(rule.days)),
  ])
  return [...new Map(lines.map((line) => [line.join('\n'), line])).values()]
}

/** Returns what is stored elsewhere, and for how long. On a machine of the operator's own, the operator decides. */
const elsewhere = (isInCloud: boolean): readonly (readonly [string, string])[] => [
  [
    'Log lines of requests, without contents and addresses of people',
    isInCloud ? 'seven days, at Cloudflare' : 'as long as the operator keeps the log',
  ],
  [
    'Copies of the database for a restore',
    isInCloud ? 'as long as the database keeps its history, usually seven days' : 'as long as the operator keeps them',
  ],
]

/** True if the service runs at Cloudflare. */
const runsInCloud = (processors: string): boolean => processorsIn(processors).some(({ name }) => name === 'cloudflare')

type DataProps = { service: string; legal: Legal; processors: string }

/** Renders the page about stored data: who processes what, where, and how long it is kept. */
export const DataPage = ({ service, legal, processors }: DataProps) =>
  SitePage({
    service,
    legal,
    title: 'Stored data',
    description: `Who processes data for ${service}, where, and how long it is kept.`,
    children: (
      <main id="text">
        <h1>Stored data</h1>
        <h2>Who processes it</h2>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Company</th>
                <th>What for</th>
                <th>Which data</th>
                <th>Where</th>
              </tr>
            </thead>
            <tbody>
              {processorsIn(processors).map(({ name, place }) => {
                const [called, does, gets] = PROCESSORS[name]
                return (
                  <tr>
                    <td>{called}</td>
                    <td>{does}</td>
                    <td>{gets}</td>
                    <td>{place || 'see the company'}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
        <p>Sites, CMSs, receivers and providers that a customer connects get what the customer sends there.</p>
        <h2>How long it is kept</h2>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Data</th>
                <th>Kept</th>
              </tr>
            </thead>
            <tbody>
              {[...stored(), ...elsewhere(runsInCloud(processors))].map(([what, kept]) => (
                <tr>
                  <td>{what}</td>
                  <td>{kept}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p>
          Owners export and delete their account under Settings, Account.
          {legal.supportEmail !== '' && (
            <>
              {' '}
              For anything else write to <a href={`mailto:${legal.supportEmail}`}>{legal.supportEmail}</a>.
            </>
          )}
        </p>
      </main>
    ),
  })
