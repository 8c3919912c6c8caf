import { hasMadeNothing, type MadeByPerson } from '../../accounts/people/made.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { ActionButton, Moment, Table } from '../parts.tsx'

/** Renders the person's keys, applications and invitations, which a new password does not end. One button ends them all. */
export const AfterNewPassword = ({ theirs, next = PATHS.home }: { theirs: MadeByPerson; next: string | undefined }) => (
  <>
    {!hasMadeNothing(theirs) && (
      <>
        <p>
          These keys, applications and invitations are yours and still work. If somebody else may have used your
          account, end them all.
        </p>
        <Table
          caption="What you made, newest first"
          heads={['What', 'Name', 'Account', 'Last used']}
          rows={[
            ...theirs.keys.map(({ name, lastFour, accountId, application, lastUsedAt }) => [
              application === null ? 'Key' : 'Application',
              application ?? `${name}, …${lastFour}`,
              String(accountId),
              <Moment at={lastUsedAt} />,
            ]),
            ...theirs.invited.map(({ email, role, accountId }) => [
              'Invitation',
              `${email}, as ${role}`,
              String(accountId),
              '',
            ]),
          ]}
        />
        <ActionButton action={PATHS.endTheirs} label="End them all" name="" fields={{}} danger />
      </>
    )}
    <p>
      <a class="button" href={next}>
        Go on
      </a>
    </p>
  </>
)
