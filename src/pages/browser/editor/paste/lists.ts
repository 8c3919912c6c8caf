import { declarationsOf } from './styles.ts'

/** Paragraph that Word shows as an item of a list. */
type Item = { element: Element; level: number; marker: string; list: string }

const itemOf = (element: Element): Item | undefined => {
  if (element.nodeName !== 'P') return undefined
  const said = declarationsOf(element.getAttribute('style') ?? '').get('mso-list') ?? ''
  const found = /^(\S+) level(\d)/.exec(said)
  if (!found) return undefined
  const marker = [...element.querySelectorAll('[style]')].find((inner) =>
    /mso-list:\s*ignore/i.test(inner.getAttribute('style') ?? ''),
  )
  return {
    element,
    level: Number(found[2]),
    marker: (marker?.textContent ?? '').replace(/[\s\u00a0]+/g, ''),
    list: found[1] ?? '',
  }
}

/** True if the marker counts: a number, a letter or a Roman number, with a full stop or a bracket. */
const counts = (marker: string): boolean => /^\(?(\d+|[a-z]|[ivxlcdm]+)[.)]/i.test(marker)

const newList = (from: Element, marker: string): HTMLElement => {
  const list = from.ownerDocument.createElement(counts(marker) ? 'ol' : 'ul')
  const start = /^\(?(\d+)/.exec(marker)?.[1]
  if (counts(marker) && start !== undefined && start !== '1') list.setAttribute('start', start)
  return list
}

/** Returns the next element, past whitespace and comments. */
const nextOf = (element: Element): Element | null => {
  let next = element.nextSibling
  while (next?.nodeType === 8 || (next?.nodeType === 3 && (next.nodeValue ?? '').trim() === '')) next = next.nextSibling
  return next?.nodeType === 1 ? (next as Element) : null
}

/** Turns Word's paragraphs with `mso-list` into lists. Returns the number of lists. */
export const makeLists = (root: Element): number => {
  let made = 0
  for (const first of [...root.querySelectorAll('p')]) {
    if (!root.contains(first)) continue
    const open: { list: HTMLElement; name: string; level: number; isCounted: boolean }[] = []
    for (let item = itemOf(first); item; ) {
      const { element, level, marker, list: name } = item
      while ((open.at(-1)?.level ?? 0) > level) open.pop()
      let current = open.at(-1)
      const isSame = current?.level === level && current.name === name && current.isCounted === counts(marker)
      const next = nextOf(element)
      if (!isSame) {
        if (current?.level === level) open.pop()
        const above = open.at(-1)?.list.lastElementChild
        const list = newList(element, marker)
        if (above) above.append(list)
        else {
          element.before(list)
          made += 1
        }
        current = { list, name, level, isCounted: counts(marker) }
        open.push(current)
      }
      for (const inner of [...element.querySelectorAll('[style]')])
        if (/mso-list:\s*ignore/i.test(inner.getAttribute('style') ?? '')) inner.remove()
      const point = element.ownerDocument.createElement('li')
      point.append(...element.childNodes)
      current?.list.append(point)
      element.remove()
      item = next ? itemOf(next) : undefined
    }
  }
  return made
}
