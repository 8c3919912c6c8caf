/**
 * The calendar's script: a tile that is dropped on a day, or moved with Alt and an arrow, sends the form that the page has for
 * dates. The answer is the page itself, so a refusal leaves the tile where it was and says why.
 */
export const CALENDAR_SCRIPT = `
const form = document.getElementById('move')
const said = document.getElementById('said')
const later = (day, n) => new Date(Date.parse(day + 'T00:00:00Z') + n * 864e5).toISOString().slice(0, 10)
const move = (tile, day) => {
  if (day === tile.dataset.day) return
  if (!navigator.onLine) { said.textContent = 'You are offline. Nothing was moved.'; return }
  form.action = tile.dataset.move
  form.elements.at.value = day + 'T' + tile.dataset.time
  form.elements.version.value = tile.dataset.version
  form.submit()
}
let held
document.addEventListener('dragstart', (event) => { held = event.target.closest('.tile[data-move]') })
document.addEventListener('dragover', (event) => {
  const day = event.target.closest('[data-drop]')
  if (!held || !day) return
  event.preventDefault()
  for (const one of document.querySelectorAll('.over')) one.classList.remove('over')
  day.classList.add('over')
})
document.addEventListener('dragend', () => {
  held = undefined
  for (const one of document.querySelectorAll('.over')) one.classList.remove('over')
})
document.addEventListener('drop', (event) => {
  const day = event.target.closest('[data-drop]')
  if (!held || !day) return
  event.preventDefault()
  move(held, day.dataset.drop)
})
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
document.addEventListener('keydown', (event) => {
  const tile = event.target.closest?.('.tile[data-move]')
  if (!tile || !event.altKey || !STEPS[event.key]) return
  event.preventDefault()
  move(tile, later(tile.dataset.day || document.querySelector('.today').dataset.drop, STEPS[event.key]))
})
`
