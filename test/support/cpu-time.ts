/**
 * Returns the processor time of this process so far, ms. This clock stops while the machine works for other processes.
 */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
