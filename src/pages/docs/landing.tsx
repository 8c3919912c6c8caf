import { PUBLISHING_PLATFORMS, TARGET_NAMES } from '../../../schema/values/publishing.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { PLAN_PRICES } from '../../platform/accounts/plans.ts'
import type { Legal } from '../../platform/runtime/legal.ts'
import { SitePage } from './frame.tsx'

const CMS_NAMES = PUBLISHING_PLATFORMS.filter((platform) => platform !== 'git' && platform !== 'webhook').map(
  (platform) => TARGET_NAMES[platform],
)

const PLANS = [
  {
    name: 'Agentic',
    price: PLAN_PRICES.agentic,
    what: 'Your agent writes. Galley checks, schedules and publishes, with keyword data and AI visibility.',
  },
  {
    name: 'Pro',
    price: PLAN_PRICES.pro,
    what: 'Everything in Agentic, a writer of the service with 30 article credits a month and site, and onboarding research.',
  },
  {
    name: 'Accelerator',
    price: PLAN_PRICES.accelerator,
    what: 'Everything in Pro, 90 article credits a month and site, and plans of 60 and 90 articles.',
  },
]

const PROMISES = [
  ['Exactly once', 'A crash, a retry or two callers at the same moment never make a second post, and lose none.'],
  [
    'Checked before it goes out',
    'Every save answers with a report: keyword, links, length, images, readability, duplicates.',
  ],
  ['Proof, not hope', 'Within a minute of publication the live page is read, and the receipt shows what readers see.'],
  ['Errors that help', 'Each names the field, what is allowed and the next call. Each code has a page.'],
  ['Made for agents', 'An HTTP API with an OpenAPI description, an MCP server with OAuth, and llms.txt.'],
  ['Measured afterwards', 'Search performance, AI visibility with intervals, and rewrites that a person compares.'],
] as const

const QUESTIONS = [
  [
    'Do I need to write code?',
    'No. People sign up, connect a site, write, plan and approve on pages. Agents do the same by the API or MCP.',
  ],
  [
    'Can an agent publish something that I do not want?',
    'You decide what needs your approval, how many articles go out a day, and where to. A freeze stops everything.',
  ],
  [
    'Can an article appear twice?',
    'No. A repeated call or a lost answer is looked up at the site before anything is sent again.',
  ],
  [
    'What if I want to leave?',
    'Every site can be exported with all its articles and versions. What was published stays at your site.',
  ],
] as const

type LandingProps = { service: string; base: string; legal: Legal }

/** Renders the home page of the service: what it is, for whom, and what it costs. */
export const LandingPage = ({ service, base, legal }: LandingProps) =>
  SitePage({
    service,
    base,
    legal,
    title: service,
    description: `${service} publishes articles for AI agents and scripts: checked, scheduled and delivered to your site exactly once.`,
    children: (
      <main id="text">
        <div class="hero">
          <h1>Your agent writes. {service} publishes, exactly once.</h1>
          <p>
            {service} takes articles from AI agents and scripts, checks them, schedules them and publishes them to your
            CMS or webhook. Then it watches how they do in search and in AI answers, and proposes rewrites.
          </p>
          <p class="row">
            <a class="button" href={PATHS.signUp}>
              Create an account
            </a>
            <a href="/docs/quickstart">Read the quickstart</a>
          </p>
        </div>
        <div class="wide">
          <img
            src="/docs/pictures/flow.svg"
            width="1200"
            height="420"
            alt="An agent sends an article by API or MCP. The service checks and schedules it, publishes it to a CMS or webhook, and reads the live page and its search data."
          />
        </div>
        <h2>What you see</h2>
        <div class="wide">
          <img
            src="/docs/pictures/overview.png"
            width="1280"
            height="800"
            loading="lazy"
            alt="The overview of a site: what needs a person, what goes out in the next days, and clicks from Google."
          />
        </div>
        <h2>What you can rely on</h2>
        <ul class="cards">
          {PROMISES.map(([title, text]) => (
            <li>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        <h2>Publishes to</h2>
        <p>{CMS_NAMES.join(', ')}, a Git repository, or a webhook receiver of your own.</p>
        <h2>Prices</h2>
        <ul class="cards prices">
          {PLANS.map(({ name, price, what }) => (
            <li>
              <h3>{name}</h3>
              <p>
                <strong>${price}</strong> a month and site
              </p>
              <p>{what}</p>
              <a class="button" href={PATHS.signUp}>
                Start with {name}
              </a>
            </li>
          ))}
        </ul>
        <h2>Questions</h2>
        {QUESTIONS.map(([question, answer]) => (
          <details>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
        <p>
          <a href="/docs/help/questions">More questions and answers</a>
          {legal.supportEmail !== '' && (
            <>
              , or write to <a href={`mailto:${legal.supportEmail}`}>{legal.supportEmail}</a>
            </>
          )}
          .
        </p>
      </main>
    ),
  })
