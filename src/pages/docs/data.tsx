import type { Legal } from '../../platform/runtime/legal.ts'
import { PROCESSORS, processorsIn } from '../../platform/runtime/processors.ts'
import { SitePage } from './frame.tsx'

/** What is stored, and for how long. */
const RETENTION = [
  ['Accounts, people, projects, articles with their revisions, and connected sites', 'until they are deleted'],
  ['A deleted account', 'erased 14 days after an owner asked for it'],
  ['Sessions, codes and links for signing in', 'until they expire'],
  ['The log of actions', '400 days'],
  ['Deleted articles, in the bin of their site', '30 days'],
  ['Answers kept under an idempotency key', '24 hours'],
  ['Exports and archives', 'seven days'],
  ['Keyword data', 'seven days'],
  ['Finished work, such as a mail that was sent', 'seven days'],
  ['Log lines of requests, without contents and addresses of people', 'seven days, at Cloudflare'],
  ['Copies of the database for a restore', 'as long as the database keeps its history, usually seven days'],
] as const

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
              {RETENTION.map(([what, kept]) => (
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
