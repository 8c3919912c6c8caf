/** Processor time this process has used so far, ms: a clock that stands still while the machine is busy with others. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
