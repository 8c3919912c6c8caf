import type { Hono } from 'hono'
import { APPROVAL_NEEDS, POLICY_TARGETS, type PolicyClauses } from '../../../schema/values/policy.ts'
import { deputyOf, endDeputy, nameDeputy } from '../../accounts/approvals/deputy.ts'
import { listPeople } from '../../accounts/people/members.ts'
import { HELP } from '../../accounts/people/paths.ts'
import { calledPerson } from '../../accounts/people/person.ts'
import { has } from '../../accounts/people/roles.ts'
import { changePolicy, listVersions, readPolicyForm } from '../../accounts/policy/change.ts'
import { readPolicy } from '../../accounts/policy/read.ts'
import { OPEN_POLICY, sentencesOf } from '../../accounts/policy/rules.ts'
import { entryNamed } from '../../publishing/connect/catalog.ts'
import { ctxOf } from '../ctx.ts'
import { formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import { sitePath } from '../menu.ts'
import { Empty, Field, For, Moment, Select } from '../parts.tsx'
import { act, type SiteFront, siteIdIn, withSite } from './front.ts'
import { Card } from './parts.tsx'

const APPROVALS: Record<(typeof APPROVAL_NEEDS)[number], string> = {
  off: 'Never',
  first: 'For what is published for the first time',
  every: 'For every publication and every change',
}

/** Returns the display name of a target in a policy. */
const nameOf = (target: string): string => entryNamed(target)?.name ?? 'Crowdwork'

const Check = ({ name, label, on }: { name: string; label: string; on: boolean }) => (
  <label class="check">
    <input type="checkbox" name={name} value="yes" checked={on} />
    {label}
  </label>
)

const text = (value: number | string | null | undefined): string => (value == null ? '' : String(value))

type Form = { clauses: PolicyClauses; version: number; site: number; zone: string }

const PolicyForm = ({ clauses, version, site, zone }: Form) => {
  const { monthly_budget: budget, allowed_targets: targets, quiet_hours: quiet } = clauses
  return (
    <form class="stack narrow" method="post" action={sitePath(site, 'policy')}>
      <input type="hidden" name="version" value={String(version)} />
      <Check name="frozen" label="Freeze: nothing goes out until you turn this off" on={clauses.frozen} />
      <Select
        name="needs_approval"
        label="A person approves"
        options={APPROVAL_NEEDS.map((need) => [need, APPROVALS[need]] as const)}
        chosen={clauses.needs_approval}
      />
      <Check
        name="approve_adopted"
        label="A person approves every change of a post that the site had before"
        on={clauses.approve_adopted ?? true}
      />
      <Field
        name="max_publications_per_day"
        label="Articles that go live a day, at most"
        hint="Empty: no limit"
        value={text(clauses.max_publications_per_day)}
      />
      <Field
        name="timezone"
        label="Time zone"
        hint="Of the quiet hours and of the days. The time zone of the site does not change it"
        value={clauses.timezone ?? zone}
      />
      <Field
        name="quiet_from"
        label="Quiet hours begin"
        hint="Such as 22:00. Nothing goes out then. Empty: none"
        value={text(quiet?.from)}
      />
      <Field
        name="quiet_to"
        label="Quiet hours end"
        hint="May be on the next day, such as 07:00"
        value={text(quiet?.to)}
      />
      <Field
        name="monthly_article_credits"
        label="Article credits a month, at most"
        hint="Months are in UTC. Empty: no limit"
        value={text(budget.article_credits)}
      />
      <Field
        name="monthly_crowdwork_dollars"
        label="Dollars of crowdwork a month, at most"
        hint="Empty: no limit of the policy"
        value={text(budget.crowdwork_dollars)}
      />
      <fieldset class="stack">
        <legend>Where things may go</legend>
        <Check name="limit_targets" label="Only to the places chosen here" on={targets !== null} />
        {POLICY_TARGETS.map((target) => (
          <Check name={`target_${target}`} label={nameOf(target)} on={targets?.includes(target) ?? false} />
        ))}
      </fieldset>
      <div class="row">
        <button type="submit">Save the policy</button>
      </div>
    </form>
  )
}

type Away = {
  site: number
  deputy: { email: string; of: string; until: Date } | undefined
  others: readonly { id: string; called: string }[]
}

/** Renders who decides while an owner is away, with the form for owners. */
const Deputy = ({ site, deputy, others }: Away) => (
  <Card title="While you are away">
    <div class="in stack">
      {deputy ? (
        <p>
          {deputy.email} decides approvals as deputy of {deputy.of}, until <Moment at={deputy.until} />.
        </p>
      ) : (
        <p class="hint">
          A deputy gets the mails about approvals and may decide them until the end of the day. The log says for whom.
        </p>
      )}
      {others.length === 0 ? (
        <p class="hint">Nobody else works on this site yet.</p>
      ) : (
        <For right="own">
          <form class="stack narrow" method="post" action={sitePath(site, 'policy/deputy')}>
            <Select
              name="deputy"
              label="Deputy for approvals"
              options={others.map(({ id, called }) => [id, called] as const)}
              chosen={others[0]?.id ?? ''}
            />
            <Field name="away_until" label="Last day away" hint="Such as 2026-12-24, at most 90 days ahead" value="" />
            <div class="row">
              <button type="submit">Name the deputy</button>
              {deputy && (
                <button class="danger" type="submit" name="end" value="yes" formnovalidate>
                  I am back
                </button>
              )}
            </div>
          </form>
        </For>
      )}
    </div>
  </Card>
)

const isImport = (changedBy: string): boolean => changedBy.startsWith('import:')

type Versions = Awaited<ReturnType<typeof listVersions>>

/** Returns the changes from the version before, as sentences. */
const changesOf = (now: PolicyClauses, before: PolicyClauses, zone: string): string[] => {
  const [said, saidBefore] = [sentencesOf(now, zone), sentencesOf(before, zone)]
  return (Object.keys(said) as (keyof PolicyClauses)[])
    .filter((clause) => said[clause] !== saidBefore[clause])
    .map((clause) => `${saidBefore[clause]} → ${said[clause]}`)
}

/** Returns the name of an author who is no person of the account. */
const authorOf = (changedBy: string): string => (isImport(changedBy) ? 'an imported archive' : 'a person who has left')

const History = ({
  versions,
  names,
  zone,
}: {
  versions: Versions
  names: ReadonlyMap<string, string>
  zone: string
}) => (
  <Card title="History">
    {versions.length === 0 ? (
      <Empty>Nobody has set a policy yet: everything is allowed.</Empty>
    ) : (
      <ul class="rows two">
        {versions.map((version, n) => (
          <li>
            <div>
              <strong>
                Version {version.version}, by {names.get(version.changedBy) ?? authorOf(version.changedBy)}
              </strong>
              {(versions[n + 1] || version.version === 1) &&
                changesOf(version.clauses, versions[n + 1]?.clauses ?? OPEN_POLICY, zone).map((change) => (
                  <p>{change}</p>
                ))}
            </div>
            <Moment at={version.changedAt} />
          </li>
        ))}
      </ul>
    )}
  </Card>
)

type Sent = { clauses: PolicyClauses; version: number; wrong: string }

const page = async (c: PagesContext, front: SiteFront, sent?: Sent) => {
  const ctx = ctxOf(c, front)
  const project = siteIdIn(c)
  const me = c.get('person')
  const reading = Promise.all([
    readPolicy(ctx, project),
    listVersions(ctx, project),
    listPeople(ctx),
    ctx.read(() => deputyOf(ctx, me.accountId, project)),
  ])
  const [site, [policy, versions, { members }, [deputy]]] = await withSite(c, reading)
  const others = members
    .filter(({ id, projectId }) => id !== me.id && (projectId === null || projectId === site.id))
    .map((member) => ({ id: member.id, called: calledPerson(member) }))
  const names = new Map(members.map((member) => [`person:${member.id}`, calledPerson(member)]))
  const { clauses = policy.clauses, version = policy.version, wrong } = sent ?? {}
  return await show(c, front, {
    title: 'Policy',
    menu: true,
    page: 'policy',
    site: site.id,
    status: wrong === undefined ? 200 : 400,
    ...(wrong === undefined ? {} : { notice: { tone: 'bad', text: wrong } }),
    body: (
      <>
        <p>
          The policy sets what agents and the clock may do with this site. It applies to everything that goes out,
          including what already waits. Only owners and members can change it. How articles are written and when they go
          out is in the <a href={sitePath(site.id, 'settings')}>settings of the site</a>.{' '}
          <a href={HELP.policy}>What each rule does</a>
        </p>
        {versions[0] && isImport(versions[0].changedBy) && versions[0].clauses.frozen && (
          <p>
            <strong>This site comes from an archive that a key imported.</strong> This policy, and which posts its
            articles have, is what the file says. Look at both before you turn the freeze off.
          </p>
        )}
        {has(c.get('person').role, 'manage') ? (
          <PolicyForm clauses={clauses} version={version} site={site.id} zone={policy.timezone} />
        ) : (
          <Card title="In force">
            <ul class="in">
              {Object.values(sentencesOf(clauses, policy.timezone)).map((sentence) => (
                <li>{sentence}</li>
              ))}
            </ul>
          </Card>
        )}
        <Deputy site={site.id} deputy={deputy} others={others} />
        <History versions={versions} names={names} zone={policy.timezone} />
      </>
    ),
  })
}

const LABELS: Readonly<Record<string, string>> = {
  max_publications_per_day: 'Articles that go live a day',
  timezone: 'Time zone',
  quiet_from: 'Quiet hours begin',
  quiet_to: 'Quiet hours end',
  monthly_article_credits: 'Article credits a month',
  monthly_crowdwork_dollars: 'Dollars of crowdwork a month',
  needs_approval: 'A person approves',
}

/** Adds the page on which people set a site's policy and deputy, and see its earlier versions. */
export const policyPages = (app: Hono<PagesEnv>, front: SiteFront): void => {
  app.get('/p/:site/policy', signedIn(front), (c) => page(c, front))
  app.post('/p/:site/policy/deputy', signedIn(front), async (c) => {
    const { deputy = '', away_until: day = '', end } = await formOf(c)
    const [ctx, by, id] = [ctxOf(c, front), c.get('person'), siteIdIn(c)]
    return await act(c, front, sitePath(id, 'policy'), async () => {
      if (end === 'yes') {
        await endDeputy(ctx, by, id)
        return 'You decide again. There is no deputy any more.'
      }
      const { clauses, timezone } = await readPolicy(ctx, id)
      await nameDeputy(ctx, by, id, { personId: deputy, day: day.trim(), zone: clauses.timezone ?? timezone })
      return 'The deputy decides approvals from now until the end of that day.'
    })
  })
  app.post('/p/:site/policy', signedIn(front), async (c) => {
    const form = await formOf(c)
    const version = /^\d{1,9}$/.test(form.version ?? '') ? Number(form.version) : 0
    const { clauses, wrong } = readPolicyForm(form)
    if (wrong.length > 0) {
      const why = wrong.map(({ field, message }) => `${LABELS[field] ?? field} ${message}.`).join(' ')
      return await page(c, front, { clauses, version, wrong: `Nothing was saved. ${why}` })
    }
    const id = siteIdIn(c)
    return await act(c, front, sitePath(id, 'policy'), async () => {
      const saved = await changePolicy(ctxOf(c, front), id, { readVersion: version, clauses })
      return saved === version
        ? 'The policy already says this. Nothing was changed.'
        : 'The policy is saved and in force.'
    })
  })
}
