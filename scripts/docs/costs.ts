/** Costs of operations besides a call of their rate; the others cost no credit. */
export const COSTS: Readonly<Record<string, string>> = {
  'projects.create': 'one project slot; no credit',
  'projects.unarchive': 'one project slot; no credit',
  'projects.onboarding':
    'no credit by itself; each article it plans that the writer writes costs 1 article credit when the writer takes it',
  'articles.create':
    'no credit; of a planned article that nobody claims the writer takes 1, and `will_be_written` says so',
  'articles.update':
    'no credit; of a planned article that nobody claims the writer takes 1, and `will_be_written` says so',
  'articles.generate': '1 article credit, which comes back when the writing fails',
  'screenshots.take': 'no credit; a new picture counts among the 120 a day of the account',
  'keywords.search': 'no credit; with the account’s own keys what their provider charges',
  'provider_keys.save': 'no credit; the provider is asked for what it charges nothing for',
  'crowdwork.create':
    'no credit; dollars at the provider: `available_positions` times `payment_per_task`, and its fees. It counts against `crowdwork_budget`',
  'crowdwork.rate': 'no credit; `OK` pays the worker from what the campaign has set aside',
  'visibility.scan': 'no credit; one of the project’s scans of the day (UTC): 1, 2 or 5 by the plan',
}
