import type { articleTraffic } from '../../../insights/traffic/read.ts'
import { Card } from '../parts.tsx'
import { TrafficSums } from '../search/traffic.tsx'

export type ArticleTraffic = Awaited<ReturnType<typeof articleTraffic>>

/** Renders the visits from AI assistants to a live article in 28 days, or why nothing is counted. */
export const TrafficCard = ({ traffic }: { traffic: ArticleTraffic }) => (
  <Card title="Visits from AI assistants" note="28 days">
    {traffic.state === 'measured' ? <TrafficSums counted={traffic} /> : <p class="in hint">{traffic.reason}</p>}
  </Card>
)
