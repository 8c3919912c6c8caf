import type { siteTraffic } from '../../../insights/traffic/read.ts'
import { sitePath } from '../../menu.ts'
import { Empty } from '../../parts.tsx'
import { Numbers } from '../chart.tsx'
import { Card, Figures } from '../parts.tsx'

export type Traffic = Awaited<ReturnType<typeof siteTraffic>>
type Counted = Pick<Traffic, 'visits' | 'crawls' | 'assistants' | 'agents' | 'days_measured' | 'reason'>

/** Names of the assistants, as their owners write them. */
const ASSISTANT_NAMES: Record<Traffic['assistants'][number]['assistant'], string> = {
  chatgpt: 'ChatGPT',
  perplexity: 'Perplexity',
  claude: 'Claude',
  gemini: 'Gemini',
  copilot: 'Copilot',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  grok: 'Grok',
  meta: 'Meta AI',
}

/** Renders the sums of visits and crawls, by assistant and agent. */
export const TrafficSums = ({ counted }: { counted: Counted }) => {
  const days = `${counted.days_measured} ${counted.days_measured === 1 ? 'day' : 'days'} counted`
  return (
    <>
      <Figures
        figures={[
          { name: 'Visits', value: counted.visits ?? '–', note: `at least; ${days}` },
          { name: 'Requests of agents', value: counted.crawls ?? '–', note: 'by the name that they give' },
        ]}
      />
      {counted.assistants.length + counted.agents.length > 0 && (
        <div class="in">
          <Numbers
            caption="Visits by assistant, requests by agent"
            heads={['From', 'Number']}
            rows={[
              ...counted.assistants.map(({ assistant, visits }) => [ASSISTANT_NAMES[assistant], visits]),
              ...counted.agents.map(({ agent, of, crawls }) => [
                <>
                  {agent} <span class="of">{of}</span>
                </>,
                crawls,
              ]),
            ]}
          />
        </div>
      )}
      {counted.reason !== null && <p class="in hint">{counted.reason}</p>}
    </>
  )
}

/** Renders the visits from AI assistants to a site, and the articles with the most; or why nothing is counted. */
export const TrafficCards = ({ site, traffic }: { site: number; traffic: Traffic }) => (
  <div class="cards">
    <Card title="Visits from AI assistants" note={traffic.state === 'measured' ? 'as the site counts them' : undefined}>
      {traffic.state === 'measured' ? <TrafficSums counted={traffic} /> : <Empty>{traffic.reason}</Empty>}
      {traffic.articles.length > 0 && (
        <div class="in">
          <Numbers
            caption="Articles with the most visits"
            heads={['Article', 'Visits', 'Requests']}
            rows={traffic.articles.map(({ article_id, title, visits, crawls }) => [
              <a href={sitePath(site, `articles/${article_id}`)} dir="auto">
                {title}
              </a>,
              visits,
              crawls,
            ])}
          />
        </div>
      )}
    </Card>
  </div>
)
