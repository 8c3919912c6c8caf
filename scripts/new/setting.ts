import { BadName, camel, type Files, textOf, withChange, within } from './edit.ts'

/**
 * Returns the files of a new setting of a site, such as `reader_name`: its column, its entry, its control and a test of
 * its effect.
 *
 * Its effect is only that it is shown until something uses the column.
 */
export const newSetting = (name: string): Files => {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new BadName(`${name} is not a name: words in lower case, such as reader_name.`)
  const [column, entries, controls, effects] = [
    'schema/projects.ts',
    'src/accounts/projects/settings.ts',
    'src/pages/site/settings/writing-groups.ts',
    'test/accounts/projects/settings-effects.test.ts',
  ] as const
  if (textOf(entries).includes(`\n  ${name}: `))
    throw new BadName(`${entries} has ${name} already. Choose another name.`)
  const words = name.replaceAll('_', ' ')
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  const entry = `  ${name}: {
    means: '${label}.',
    otherwise: 'empty',
    schema: text(SHORT).check(z.overwrite(oneLine)),
    place: at('${camel(name)}'),
  },
`
  const control = `    { name: '${name}', label: '${label}', kind: 'text', max: SHORT },\n`
  const seen = `async (project) => at((await api.get(\`/projects/\${project}\`)).body, 'settings.${name}')`
  return {
    [column]: within(
      textOf(column),
      "primaryLocation: text('primary_location')",
      '\n',
      `\n    ${camel(name)}: text('${name}').notNull().default(''),`,
    ),
    [entries]: within(textOf(entries), 'primary_location: {', '  writing_profile: ', entry),
    [controls]: within(textOf(controls), 'export const BUSINESS', "    {\n      name: 'primary_location'", control),
    [effects]: within(
      textOf(effects),
      'const ROWS: ',
      '\n',
      `\n  ${name}: { value: 'Words', like: 'Words', seen: ${seen} },`,
    ),
    ...withChange(`New setting \`${name}\`.`),
  }
}
