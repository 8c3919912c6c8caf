import { PATHS } from '../../../accounts/people/paths.ts'
import type { FieldError } from '../../../platform/lib/errors.ts'
import { Field } from '../../parts.tsx'
import { upper, wrongWith } from '../errors.ts'
import type { FormField, PlatformForm } from './fields.ts'

type Props = {
  form: PlatformForm
  project: { id: number; websiteUrl: string }
  platform: string
  isSetup: boolean
  /** Values that were sent before; secrets are not shown again. */
  sent: Record<string, string>
  errors: readonly FieldError[]
}

const Mapped = ({ field, sent, errors }: { field: FormField } & Pick<Props, 'sent' | 'errors'>) => (
  <details open={errors.some(({ field: name }) => name.startsWith(field.name))}>
    <summary>{field.label}</summary>
    <div class="stack">
      <p class="hint">{field.hint}</p>
      {wrongWith(errors, field.name) && <p class="error">{wrongWith(errors, field.name)}</p>}
      {(field.parts ?? []).map((part) => {
        const name = `${field.name}.${part}`
        return (
          <Field
            name={name}
            label={upper(part.replaceAll('_', ' '))}
            value={sent[name]}
            error={wrongWith(errors, name)}
            maxlength={256}
          />
        )
      })}
    </div>
  </details>
)

const One = ({ field, sent, errors }: { field: FormField } & Pick<Props, 'sent' | 'errors'>) => {
  const { name, label, kind, hint } = field
  if (kind === 'map') return <Mapped field={field} sent={sent} errors={errors} />
  if (kind === 'check')
    return (
      <label class="check">
        <input type="checkbox" name={name} value="true" checked={sent[name] === 'true'} />
        {label}
      </label>
    )
  return (
    <Field
      name={name}
      label={field.optional ? `${label} (optional)` : label}
      hint={hint}
      type={kind === 'secret' ? 'password' : 'text'}
      value={kind === 'secret' ? undefined : sent[name]}
      error={wrongWith(errors, name) ?? wrongWith(errors, `${name}.0`)}
      required={!field.optional}
    />
  )
}

/** Renders the form that connects a platform to a project. */
export const ConnectForm = ({ form, project, platform, isSetup, sent, errors }: Props) => (
  <form class="stack narrow" method="post" action={`${PATHS.integrations}/connect`}>
    <input type="hidden" name="project_id" value={String(project.id)} />
    <input type="hidden" name="platform" value={platform} />
    {isSetup && <input type="hidden" name="setup" value="1" />}
    <Field
      name="name"
      label="Name (optional)"
      hint="How it is called in lists"
      value={sent.name}
      error={wrongWith(errors, 'name')}
      maxlength={200}
    />
    {form.fields.map((field) => (
      <One field={field} sent={sent} errors={errors} />
    ))}
    <button type="submit">Connect {form.title}</button>
  </form>
)
