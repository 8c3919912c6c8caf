function L(n) {
  this.content = n
}
L.prototype = {
  constructor: L,
  find: function (n) {
    for (var e = 0; e < this.content.length; e += 2) if (this.content[e] === n) return e
    return -1
  },
  get: function (n) {
    var e = this.find(n)
    return e == -1 ? void 0 : this.content[e + 1]
  },
  update: function (n, e, t) {
    var r = t && t != n ? this.remove(t) : this,
      i = r.find(n),
      s = r.content.slice()
    return (i == -1 ? s.push(t || n, e) : ((s[i + 1] = e), t && (s[i] = t)), new L(s))
  },
  remove: function (n) {
    var e = this.find(n)
    if (e == -1) return this
    var t = this.content.slice()
    return (t.splice(e, 2), new L(t))
  },
  addToStart: function (n, e) {
    return new L([n, e].concat(this.remove(n).content))
  },
  addToEnd: function (n, e) {
    var t = this.remove(n).content.slice()
    return (t.push(n, e), new L(t))
  },
  addBefore: function (n, e, t) {
    var r = this.remove(e),
      i = r.content.slice(),
      s = r.find(n)
    return (i.splice(s == -1 ? i.length : s, 0, e, t), new L(i))
  },
  forEach: function (n) {
    for (var e = 0; e < this.content.length; e += 2) n(this.content[e], this.content[e + 1])
  },
  prepend: function (n) {
    return ((n = L.from(n)), n.size ? new L(n.content.concat(this.subtract(n).content)) : this)
  },
  append: function (n) {
    return ((n = L.from(n)), n.size ? new L(this.subtract(n).content.concat(n.content)) : this)
  },
  subtract: function (n) {
    var e = this
    n = L.from(n)
    for (var t = 0; t < n.content.length; t += 2) e = e.remove(n.content[t])
    return e
  },
  toObject: function () {
    var n = {}
    return (
      this.forEach((e, t) => {
        n[e] = t
      }),
      n
    )
  },
  get size() {
    return this.content.length >> 1
  },
}
L.from = (n) => {
  if (n instanceof L) return n
  var e = []
  if (n) for (var t in n) e.push(t, n[t])
  return new L(e)
}
var An = L
function ni(n, e, t) {
  for (let r = 0; ; r++) {
    if (r == n.childCount || r == e.childCount) return n.childCount == e.childCount ? null : t
    const i = n.child(r),
      s = e.child(r)
    if (i == s) {
      t += i.nodeSize
      continue
    }
    if (!i.sameMarkup(s)) return t
    if (i.isText && i.text != s.text) {
      let o = i.text,
        l = s.text,
        a = 0
      for (; o[a] == l[a]; a++) t++
      return (a && a < o.length && a < l.length && si(o.charCodeAt(a - 1)) && ii(o.charCodeAt(a)) && t--, t)
    }
    if (i.content.size || s.content.size) {
      const o = ni(i.content, s.content, t + 1)
      if (o != null) return o
    }
    t += i.nodeSize
  }
}
function ri(n, e, t, r) {
  for (let i = n.childCount, s = e.childCount; ; ) {
    if (i == 0 || s == 0) return i == s ? null : { a: t, b: r }
    const o = n.child(--i),
      l = e.child(--s),
      a = o.nodeSize
    if (o == l) {
      ;(t -= a), (r -= a)
      continue
    }
    if (!o.sameMarkup(l)) return { a: t, b: r }
    if (o.isText && o.text != l.text) {
      let c = o.text,
        f = l.text,
        h = c.length,
        u = f.length
      for (; h > 0 && u > 0 && c[h - 1] == f[u - 1]; ) h--, u--, t--, r--
      return (h && u && h < c.length && si(c.charCodeAt(h - 1)) && ii(c.charCodeAt(h)) && (t++, r++), { a: t, b: r })
    }
    if (o.content.size || l.content.size) {
      const c = ri(o.content, l.content, t - 1, r - 1)
      if (c) return c
    }
    ;(t -= a), (r -= a)
  }
}
function ii(n) {
  return n >= 56320 && n < 57344
}
function si(n) {
  return n >= 55296 && n < 56320
}
var y = class n {
  constructor(e, t) {
    if (((this.content = e), (this.size = t || 0), t == null))
      for (let r = 0; r < e.length; r++) this.size += e[r].nodeSize
  }
  nodesBetween(e, t, r, i = 0, s) {
    for (let o = 0, l = 0; l < t; o++) {
      const a = this.content[o],
        c = l + a.nodeSize
      if (c > e && r(a, i + l, s || null, o) !== !1 && a.content.size) {
        const f = l + 1
        a.nodesBetween(Math.max(0, e - f), Math.min(a.content.size, t - f), r, i + f)
      }
      l = c
    }
  }
  descendants(e) {
    this.nodesBetween(0, this.size, e)
  }
  textBetween(e, t, r, i) {
    let s = '',
      o = !0
    return (
      this.nodesBetween(
        e,
        t,
        (l, a) => {
          const c = l.isText
            ? l.text.slice(Math.max(e, a) - a, t - a)
            : l.isLeaf
              ? i
                ? typeof i == 'function'
                  ? i(l)
                  : i
                : l.type.spec.leafText
                  ? l.type.spec.leafText(l)
                  : ''
              : ''
          l.isBlock && ((l.isLeaf && c) || l.isTextblock) && r && (o ? (o = !1) : (s += r)), (s += c)
        },
        0,
      ),
      s
    )
  }
  append(e) {
    if (!e.size) return this
    if (!this.size) return e
    let t = this.lastChild,
      r = e.firstChild,
      i = this.content.slice(),
      s = 0
    for (
      t.isText && t.sameMarkup(r) && ((i[i.length - 1] = t.withText(t.text + r.text)), (s = 1));
      s < e.content.length;
      s++
    )
      i.push(e.content[s])
    return new n(i, this.size + e.size)
  }
  cut(e, t = this.size) {
    if (e == 0 && t == this.size) return this
    let r = [],
      i = 0
    if (t > e)
      for (let s = 0, o = 0; o < t; s++) {
        let l = this.content[s],
          a = o + l.nodeSize
        a > e &&
          ((o < e || a > t) &&
            (l.isText
              ? (l = l.cut(Math.max(0, e - o), Math.min(l.text.length, t - o)))
              : (l = l.cut(Math.max(0, e - o - 1), Math.min(l.content.size, t - o - 1)))),
          r.push(l),
          (i += l.nodeSize)),
          (o = a)
      }
    return new n(r, i)
  }
  cutByIndex(e, t) {
    return e == t ? n.empty : e == 0 && t == this.content.length ? this : new n(this.content.slice(e, t))
  }
  replaceChild(e, t) {
    const r = this.content[e]
    if (r == t) return this
    const i = this.content.slice(),
      s = this.size + t.nodeSize - r.nodeSize
    return ((i[e] = t), new n(i, s))
  }
  addToStart(e) {
    return new n([e].concat(this.content), this.size + e.nodeSize)
  }
  addToEnd(e) {
    return new n(this.content.concat(e), this.size + e.nodeSize)
  }
  eq(e) {
    if (this.content.length != e.content.length) return !1
    for (let t = 0; t < this.content.length; t++) if (!this.content[t].eq(e.content[t])) return !1
    return !0
  }
  get firstChild() {
    return this.content.length ? this.content[0] : null
  }
  get lastChild() {
    return this.content.length ? this.content[this.content.length - 1] : null
  }
  get childCount() {
    return this.content.length
  }
  child(e) {
    const t = this.content[e]
    if (!t) throw new RangeError('Index ' + e + ' out of range for ' + this)
    return t
  }
  maybeChild(e) {
    return this.content[e] || null
  }
  forEach(e) {
    for (let t = 0, r = 0; t < this.content.length; t++) {
      const i = this.content[t]
      e(i, r, t), (r += i.nodeSize)
    }
  }
  findDiffStart(e, t = 0) {
    return ni(this, e, t)
  }
  findDiffEnd(e, t = this.size, r = e.size) {
    return ri(this, e, t, r)
  }
  findIndex(e) {
    if (e == 0) return Wt(0, e)
    if (e == this.size) return Wt(this.content.length, e)
    if (e > this.size || e < 0) throw new RangeError(`Position ${e} outside of fragment (${this})`)
    for (let t = 0, r = 0; ; t++) {
      const i = this.child(t),
        s = r + i.nodeSize
      if (s >= e) return s == e ? Wt(t + 1, s) : Wt(t, r)
      r = s
    }
  }
  toString() {
    return '<' + this.toStringInner() + '>'
  }
  toStringInner() {
    return this.content.join(', ')
  }
  toJSON() {
    return this.content.length ? this.content.map((e) => e.toJSON()) : null
  }
  static fromJSON(e, t) {
    if (!t) return n.empty
    if (!Array.isArray(t)) throw new RangeError('Invalid input for Fragment.fromJSON')
    return n.fromArray(t.map(e.nodeFromJSON))
  }
  static fromArray(e) {
    if (!e.length) return n.empty
    let t,
      r = 0
    for (let i = 0; i < e.length; i++) {
      const s = e[i]
      ;(r += s.nodeSize),
        i && s.isText && e[i - 1].sameMarkup(s)
          ? (t || (t = e.slice(0, i)), (t[t.length - 1] = s.withText(t[t.length - 1].text + s.text)))
          : t && t.push(s)
    }
    return new n(t || e, r)
  }
  static from(e) {
    if (!e) return n.empty
    if (e instanceof n) return e
    if (Array.isArray(e)) return this.fromArray(e)
    if (e.attrs) return new n([e], e.nodeSize)
    throw new RangeError(
      'Can not convert ' +
        e +
        ' to a Fragment' +
        (e.nodesBetween ? ' (looks like multiple versions of prosemirror-model were loaded)' : ''),
    )
  }
}
y.empty = new y([], 0)
var In = { index: 0, offset: 0 }
function Wt(n, e) {
  return ((In.index = n), (In.offset = e), In)
}
function Kt(n, e) {
  if (n === e) return !0
  if (!(n && typeof n == 'object') || !(e && typeof e == 'object')) return !1
  const t = Array.isArray(n)
  if (Array.isArray(e) != t) return !1
  if (t) {
    if (n.length != e.length) return !1
    for (let r = 0; r < n.length; r++) if (!Kt(n[r], e[r])) return !1
  } else {
    for (const r in n) if (!(r in e) || !Kt(n[r], e[r])) return !1
    for (const r in e) if (!(r in n)) return !1
  }
  return !0
}
var C = class n {
  constructor(e, t) {
    ;(this.type = e), (this.attrs = t)
  }
  addToSet(e) {
    let t,
      r = !1
    for (let i = 0; i < e.length; i++) {
      const s = e[i]
      if (this.eq(s)) return e
      if (this.type.excludes(s.type)) t || (t = e.slice(0, i))
      else {
        if (s.type.excludes(this.type)) return e
        !r && s.type.rank > this.type.rank && (t || (t = e.slice(0, i)), t.push(this), (r = !0)), t && t.push(s)
      }
    }
    return (t || (t = e.slice()), r || t.push(this), t)
  }
  removeFromSet(e) {
    for (let t = 0; t < e.length; t++) if (this.eq(e[t])) return e.slice(0, t).concat(e.slice(t + 1))
    return e
  }
  isInSet(e) {
    for (let t = 0; t < e.length; t++) if (this.eq(e[t])) return !0
    return !1
  }
  eq(e) {
    return this == e || (this.type == e.type && Kt(this.attrs, e.attrs))
  }
  toJSON() {
    const e = { type: this.type.name }
    for (const t in this.attrs) {
      e.attrs = this.attrs
      break
    }
    return e
  }
  static fromJSON(e, t) {
    if (!t) throw new RangeError('Invalid input for Mark.fromJSON')
    const r = e.marks[t.type]
    if (!r) throw new RangeError(`There is no mark type ${t.type} in this schema`)
    return r.create(t.attrs)
  }
  static sameSet(e, t) {
    if (e == t) return !0
    if (e.length != t.length) return !1
    for (let r = 0; r < e.length; r++) if (!e[r].eq(t[r])) return !1
    return !0
  }
  static setFrom(e) {
    if (!e || (Array.isArray(e) && e.length == 0)) return n.none
    if (e instanceof n) return [e]
    const t = e.slice()
    return (t.sort((r, i) => r.type.rank - i.type.rank), t)
  }
}
C.none = []
var be = class extends Error {},
  b = class n {
    constructor(e, t, r) {
      ;(this.content = e), (this.openStart = t), (this.openEnd = r)
    }
    get size() {
      return this.content.size - this.openStart - this.openEnd
    }
    insertAt(e, t) {
      const r = li(this.content, e + this.openStart, t, this.openStart + 1, this.openEnd + 1)
      return r && new n(r, this.openStart, this.openEnd)
    }
    removeBetween(e, t) {
      return new n(oi(this.content, e + this.openStart, t + this.openStart), this.openStart, this.openEnd)
    }
    eq(e) {
      return this.content.eq(e.content) && this.openStart == e.openStart && this.openEnd == e.openEnd
    }
    toString() {
      return this.content + '(' + this.openStart + ',' + this.openEnd + ')'
    }
    toJSON() {
      if (!this.content.size) return null
      const e = { content: this.content.toJSON() }
      return (this.openStart > 0 && (e.openStart = this.openStart), this.openEnd > 0 && (e.openEnd = this.openEnd), e)
    }
    static fromJSON(e, t) {
      if (!t) return n.empty
      const r = t.openStart || 0,
        i = t.openEnd || 0
      if (typeof r != 'number' || typeof i != 'number') throw new RangeError('Invalid input for Slice.fromJSON')
      return new n(y.fromJSON(e, t.content), r, i)
    }
    static maxOpen(e, t = !0) {
      let r = 0,
        i = 0
      for (let s = e.firstChild; s && !s.isLeaf && (t || !s.type.spec.isolating); s = s.firstChild) r++
      for (let s = e.lastChild; s && !s.isLeaf && (t || !s.type.spec.isolating); s = s.lastChild) i++
      return new n(e, r, i)
    }
  }
b.empty = new b(y.empty, 0, 0)
function oi(n, e, t) {
  const { index: r, offset: i } = n.findIndex(e),
    s = n.maybeChild(r),
    { index: o, offset: l } = n.findIndex(t)
  if (i == e || s.isText) {
    if (l != t && !n.child(o).isText) throw new RangeError('Removing non-flat range')
    return n.cut(0, e).append(n.cut(t))
  }
  if (r != o) throw new RangeError('Removing non-flat range')
  return n.replaceChild(r, s.copy(oi(s.content, e - i - 1, t - i - 1)))
}
function li(n, e, t, r, i, s) {
  const { index: o, offset: l } = n.findIndex(e),
    a = n.maybeChild(o)
  if (l == e || a.isText)
    return s && r <= 0 && i <= 0 && !s.canReplace(o, o, t) ? null : n.cut(0, e).append(t).append(n.cut(e))
  const c = li(a.content, e - l - 1, t, o == 0 ? r - 1 : 0, o == n.childCount - 1 ? i - 1 : 0, a)
  return c && n.replaceChild(o, a.copy(c))
}
function Vo(n, e, t) {
  if (t.openStart > n.depth) throw new be('Inserted content deeper than insertion position')
  if (n.depth - t.openStart != e.depth - t.openEnd) throw new be('Inconsistent open depths')
  return ai(n, e, t, 0)
}
function ai(n, e, t, r) {
  const i = n.index(r),
    s = n.node(r)
  if (i == e.index(r) && r < n.depth - t.openStart) {
    const o = ai(n, e, t, r + 1)
    return s.copy(s.content.replaceChild(i, o))
  } else if (t.content.size)
    if (!t.openStart && !t.openEnd && n.depth == r && e.depth == r) {
      const o = n.parent,
        l = o.content
      return Re(o, l.cut(0, n.parentOffset).append(t.content).append(l.cut(e.parentOffset)))
    } else {
      const { start: o, end: l } = $o(t, n)
      return Re(s, fi(n, o, l, e, r))
    }
  else return Re(s, Ut(n, e, r))
}
function ci(n, e) {
  if (!e.type.compatibleContent(n.type)) throw new be('Cannot join ' + e.type.name + ' onto ' + n.type.name)
}
function Rn(n, e, t) {
  const r = n.node(t)
  return (ci(r, e.node(t)), r)
}
function Ie(n, e) {
  const t = e.length - 1
  t >= 0 && n.isText && n.sameMarkup(e[t]) ? (e[t] = n.withText(e[t].text + n.text)) : e.push(n)
}
function dt(n, e, t, r) {
  let i = (e || n).node(t),
    s = 0,
    o = e ? e.index(t) : i.childCount
  n && ((s = n.index(t)), n.depth > t ? s++ : n.textOffset && (Ie(n.nodeAfter, r), s++))
  for (let l = s; l < o; l++) Ie(i.child(l), r)
  e && e.depth == t && e.textOffset && Ie(e.nodeBefore, r)
}
function Re(n, e) {
  if (!n.type.validContent(e)) throw new be('Invalid content for node ' + n.type.name)
  return n.copy(e)
}
function fi(n, e, t, r, i) {
  const s = n.depth > i && Rn(n, e, i + 1),
    o = r.depth > i && Rn(t, r, i + 1),
    l = []
  return (
    dt(null, n, i, l),
    s && o && e.index(i) == t.index(i)
      ? (ci(s, o), Ie(Re(s, fi(n, e, t, r, i + 1)), l))
      : (s && Ie(Re(s, Ut(n, e, i + 1)), l), dt(e, t, i, l), o && Ie(Re(o, Ut(t, r, i + 1)), l)),
    dt(r, null, i, l),
    new y(l)
  )
}
function Ut(n, e, t) {
  const r = []
  if ((dt(null, n, t, r), n.depth > t)) {
    const i = Rn(n, e, t + 1)
    Ie(Re(i, Ut(n, e, t + 1)), r)
  }
  return (dt(e, null, t, r), new y(r))
}
function $o(n, e) {
  let t = e.depth - n.openStart,
    i = e.node(t).copy(n.content)
  for (let s = t - 1; s >= 0; s--) i = e.node(s).copy(y.from(i))
  return { start: i.resolveNoCache(n.openStart + t), end: i.resolveNoCache(i.content.size - n.openEnd - t) }
}
var jt = class n {
    constructor(e, t, r) {
      ;(this.pos = e), (this.path = t), (this.parentOffset = r), (this.depth = t.length / 3 - 1)
    }
    resolveDepth(e) {
      return e == null ? this.depth : e < 0 ? this.depth + e : e
    }
    get parent() {
      return this.node(this.depth)
    }
    get doc() {
      return this.node(0)
    }
    node(e) {
      return this.path[this.resolveDepth(e) * 3]
    }
    index(e) {
      return this.path[this.resolveDepth(e) * 3 + 1]
    }
    indexAfter(e) {
      return ((e = this.resolveDepth(e)), this.index(e) + (e == this.depth && !this.textOffset ? 0 : 1))
    }
    start(e) {
      return ((e = this.resolveDepth(e)), e == 0 ? 0 : this.path[e * 3 - 1] + 1)
    }
    end(e) {
      return ((e = this.resolveDepth(e)), this.start(e) + this.node(e).content.size)
    }
    before(e) {
      if (((e = this.resolveDepth(e)), !e)) throw new RangeError('There is no position before the top-level node')
      return e == this.depth + 1 ? this.pos : this.path[e * 3 - 1]
    }
    after(e) {
      if (((e = this.resolveDepth(e)), !e)) throw new RangeError('There is no position after the top-level node')
      return e == this.depth + 1 ? this.pos : this.path[e * 3 - 1] + this.path[e * 3].nodeSize
    }
    get textOffset() {
      return this.pos - this.path[this.path.length - 1]
    }
    get nodeAfter() {
      const e = this.parent,
        t = this.index(this.depth)
      if (t == e.childCount) return null
      const r = this.pos - this.path[this.path.length - 1],
        i = e.child(t)
      return r ? e.child(t).cut(r) : i
    }
    get nodeBefore() {
      const e = this.index(this.depth),
        t = this.pos - this.path[this.path.length - 1]
      return t ? this.parent.child(e).cut(0, t) : e == 0 ? null : this.parent.child(e - 1)
    }
    posAtIndex(e, t) {
      t = this.resolveDepth(t)
      let r = this.path[t * 3],
        i = t == 0 ? 0 : this.path[t * 3 - 1] + 1
      for (let s = 0; s < e; s++) i += r.child(s).nodeSize
      return i
    }
    marks() {
      const e = this.parent,
        t = this.index()
      if (e.content.size == 0) return C.none
      if (this.textOffset) return e.child(t).marks
      let r = e.maybeChild(t - 1),
        i = e.maybeChild(t)
      if (!r) {
        const l = r
        ;(r = i), (i = l)
      }
      let s = r.marks
      for (var o = 0; o < s.length; o++)
        s[o].type.spec.inclusive === !1 && (!i || !s[o].isInSet(i.marks)) && (s = s[o--].removeFromSet(s))
      return s
    }
    marksAcross(e) {
      const t = this.parent.maybeChild(this.index())
      if (!t || !t.isInline) return null
      let r = t.marks,
        i = e.parent.maybeChild(e.index())
      for (var s = 0; s < r.length; s++)
        r[s].type.spec.inclusive === !1 && (!i || !r[s].isInSet(i.marks)) && (r = r[s--].removeFromSet(r))
      return r
    }
    sharedDepth(e) {
      for (let t = this.depth; t > 0; t--) if (this.start(t) <= e && this.end(t) >= e) return t
      return 0
    }
    blockRange(e = this, t) {
      if (e.pos < this.pos) return e.blockRange(this)
      for (let r = this.depth - (this.parent.inlineContent || this.pos == e.pos ? 1 : 0); r >= 0; r--)
        if (e.pos <= this.end(r) && (!t || t(this.node(r)))) return new Be(this, e, r)
      return null
    }
    sameParent(e) {
      return this.pos - this.parentOffset == e.pos - e.parentOffset
    }
    max(e) {
      return e.pos > this.pos ? e : this
    }
    min(e) {
      return e.pos < this.pos ? e : this
    }
    toString() {
      let e = ''
      for (let t = 1; t <= this.depth; t++) e += (e ? '/' : '') + this.node(t).type.name + '_' + this.index(t - 1)
      return e + ':' + this.parentOffset
    }
    static resolve(e, t) {
      if (!(t >= 0 && t <= e.content.size)) throw new RangeError('Position ' + t + ' out of range')
      let r = [],
        i = 0,
        s = t
      for (let o = e; ; ) {
        const { index: l, offset: a } = o.content.findIndex(s),
          c = s - a
        if ((r.push(o, l, i + a), !c || ((o = o.child(l)), o.isText))) break
        ;(s = c - 1), (i += a + 1)
      }
      return new n(t, r, s)
    }
    static resolveCached(e, t) {
      let r = Kr.get(e)
      if (r)
        for (let s = 0; s < r.elts.length; s++) {
          const o = r.elts[s]
          if (o.pos == t) return o
        }
      else Kr.set(e, (r = new Bn()))
      const i = (r.elts[r.i] = n.resolve(e, t))
      return ((r.i = (r.i + 1) % Jo), i)
    }
  },
  Bn = class {
    constructor() {
      ;(this.elts = []), (this.i = 0)
    }
  },
  Jo = 12,
  Kr = new WeakMap(),
  Be = class {
    constructor(e, t, r) {
      ;(this.$from = e), (this.$to = t), (this.depth = r)
    }
    get start() {
      return this.$from.before(this.depth + 1)
    }
    get end() {
      return this.$to.after(this.depth + 1)
    }
    get parent() {
      return this.$from.node(this.depth)
    }
    get startIndex() {
      return this.$from.index(this.depth)
    }
    get endIndex() {
      return this.$to.indexAfter(this.depth)
    }
  },
  Wo = Object.create(null),
  Y = class n {
    constructor(e, t, r, i = C.none) {
      ;(this.type = e), (this.attrs = t), (this.marks = i), (this.content = r || y.empty)
    }
    get children() {
      return this.content.content
    }
    get nodeSize() {
      return this.isLeaf ? 1 : 2 + this.content.size
    }
    get childCount() {
      return this.content.childCount
    }
    child(e) {
      return this.content.child(e)
    }
    maybeChild(e) {
      return this.content.maybeChild(e)
    }
    forEach(e) {
      this.content.forEach(e)
    }
    nodesBetween(e, t, r, i = 0) {
      this.content.nodesBetween(e, t, r, i, this)
    }
    descendants(e) {
      this.nodesBetween(0, this.content.size, e)
    }
    get textContent() {
      return this.isLeaf && this.type.spec.leafText
        ? this.type.spec.leafText(this)
        : this.textBetween(0, this.content.size, '')
    }
    textBetween(e, t, r, i) {
      return this.content.textBetween(e, t, r, i)
    }
    get firstChild() {
      return this.content.firstChild
    }
    get lastChild() {
      return this.content.lastChild
    }
    eq(e) {
      return this == e || (this.sameMarkup(e) && this.content.eq(e.content))
    }
    sameMarkup(e) {
      return this.hasMarkup(e.type, e.attrs, e.marks)
    }
    hasMarkup(e, t, r) {
      return this.type == e && Kt(this.attrs, t || e.defaultAttrs || Wo) && C.sameSet(this.marks, r || C.none)
    }
    copy(e = null) {
      return e == this.content ? this : new n(this.type, this.attrs, e, this.marks)
    }
    mark(e) {
      return e == this.marks ? this : new n(this.type, this.attrs, this.content, e)
    }
    cut(e, t = this.content.size) {
      return e == 0 && t == this.content.size ? this : this.copy(this.content.cut(e, t))
    }
    slice(e, t = this.content.size, r = !1) {
      if (e == t) return b.empty
      const i = this.resolve(e),
        s = this.resolve(t),
        o = r ? 0 : i.sharedDepth(t),
        l = i.start(o),
        c = i.node(o).content.cut(i.pos - l, s.pos - l)
      return new b(c, i.depth - o, s.depth - o)
    }
    replace(e, t, r) {
      return Vo(this.resolve(e), this.resolve(t), r)
    }
    nodeAt(e) {
      for (let t = this; ; ) {
        const { index: r, offset: i } = t.content.findIndex(e)
        if (((t = t.maybeChild(r)), !t)) return null
        if (i == e || t.isText) return t
        e -= i + 1
      }
    }
    childAfter(e) {
      const { index: t, offset: r } = this.content.findIndex(e)
      return { node: this.content.maybeChild(t), index: t, offset: r }
    }
    childBefore(e) {
      if (e == 0) return { node: null, index: 0, offset: 0 }
      const { index: t, offset: r } = this.content.findIndex(e)
      if (r < e) return { node: this.content.child(t), index: t, offset: r }
      const i = this.content.child(t - 1)
      return { node: i, index: t - 1, offset: r - i.nodeSize }
    }
    resolve(e) {
      return jt.resolveCached(this, e)
    }
    resolveNoCache(e) {
      return jt.resolve(this, e)
    }
    rangeHasMark(e, t, r) {
      let i = !1
      return (t > e && this.nodesBetween(e, t, (s) => (r.isInSet(s.marks) && (i = !0), !i)), i)
    }
    get isBlock() {
      return this.type.isBlock
    }
    get isTextblock() {
      return this.type.isTextblock
    }
    get inlineContent() {
      return this.type.inlineContent
    }
    get isInline() {
      return this.type.isInline
    }
    get isText() {
      return this.type.isText
    }
    get isLeaf() {
      return this.type.isLeaf
    }
    get isAtom() {
      return this.type.isAtom
    }
    toString() {
      if (this.type.spec.toDebugString) return this.type.spec.toDebugString(this)
      let e = this.type.name
      return (this.content.size && (e += '(' + this.content.toStringInner() + ')'), hi(this.marks, e))
    }
    contentMatchAt(e) {
      const t = this.type.contentMatch.matchFragment(this.content, 0, e)
      if (!t) throw new Error('Called contentMatchAt on a node with invalid content')
      return t
    }
    canReplace(e, t, r = y.empty, i = 0, s = r.childCount) {
      const o = this.contentMatchAt(e).matchFragment(r, i, s),
        l = o && o.matchFragment(this.content, t)
      if (!l || !l.validEnd) return !1
      for (let a = i; a < s; a++) if (!this.type.allowsMarks(r.child(a).marks)) return !1
      return !0
    }
    canReplaceWith(e, t, r, i) {
      if (i && !this.type.allowsMarks(i)) return !1
      const s = this.contentMatchAt(e).matchType(r),
        o = s && s.matchFragment(this.content, t)
      return o ? o.validEnd : !1
    }
    canAppend(e) {
      return e.content.size
        ? this.canReplace(this.childCount, this.childCount, e.content)
        : this.type.compatibleContent(e.type)
    }
    check() {
      this.type.checkContent(this.content), jr(this.type.attrs, this.attrs, 'node', this.type.name)
      let e = C.none
      for (let t = 0; t < this.marks.length; t++) {
        const r = this.marks[t]
        jr(r.type.attrs, r.attrs, 'mark', r.type.name), (e = r.addToSet(e))
      }
      if (!C.sameSet(e, this.marks))
        throw new RangeError(
          `Invalid collection of marks for node ${this.type.name}: ${this.marks.map((t) => t.type.name)}`,
        )
      this.content.forEach((t) => t.check())
    }
    toJSON() {
      const e = { type: this.type.name }
      for (const t in this.attrs) {
        e.attrs = this.attrs
        break
      }
      return (
        this.content.size && (e.content = this.content.toJSON()),
        this.marks.length && (e.marks = this.marks.map((t) => t.toJSON())),
        e
      )
    }
    static fromJSON(e, t) {
      if (!t) throw new RangeError('Invalid input for Node.fromJSON')
      let r
      if (t.marks) {
        if (!Array.isArray(t.marks)) throw new RangeError('Invalid mark data for Node.fromJSON')
        r = t.marks.map(e.markFromJSON)
      }
      if (t.type == 'text') {
        if (typeof t.text != 'string') throw new RangeError('Invalid text node in JSON')
        return e.text(t.text, r)
      }
      const i = y.fromJSON(e, t.content)
      return e.nodeType(t.type).create(t.attrs, i, r)
    }
  }
Y.prototype.text = void 0
var Ur = (() => {
    const { stack: n } = new Error('/')
    if (!n || !/\n\s*at\s/.test(n)) return (t) => t
    const e = Object.create(null)
    return (t) => (e[t], t)
  })(),
  Pn = class n extends Y {
    constructor(e, t, r, i) {
      if ((super(e, t, null, i), !r)) throw new RangeError('Empty text nodes are not allowed')
      this.text = r
    }
    toString() {
      return this.type.spec.toDebugString
        ? this.type.spec.toDebugString(this)
        : hi(this.marks, JSON.stringify(this.text))
    }
    get textContent() {
      return this.text
    }
    textBetween(e, t) {
      return Ur(this.text.slice(e, t))
    }
    get nodeSize() {
      return this.text.length
    }
    mark(e) {
      return e == this.marks ? this : new n(this.type, this.attrs, this.text, e)
    }
    withText(e) {
      return e == this.text ? this : new n(this.type, this.attrs, e, this.marks)
    }
    cut(e = 0, t = this.text.length) {
      return e == 0 && t == this.text.length ? this : this.withText(Ur(this.text.slice(e, t)))
    }
    eq(e) {
      return this.sameMarkup(e) && this.text == e.text
    }
    toJSON() {
      const e = super.toJSON()
      return ((e.text = this.text), e)
    }
  }
function hi(n, e) {
  for (let t = n.length - 1; t >= 0; t--) e = n[t].type.name + '(' + e + ')'
  return e
}
function jr(n, e, t, r) {
  for (const i in e) if (!(i in n)) throw new RangeError(`Unsupported attribute ${i} for ${t} of type ${r}`)
  for (const i in n) n[i].validate && n[i].validate(e[i])
}
var Pe = class n {
  constructor(e) {
    ;(this.validEnd = e), (this.next = []), (this.wrapCache = [])
  }
  static parse(e, t) {
    const r = new zn(e, t)
    if (r.next == null) return n.empty
    const i = ui(r)
    r.next && r.err('Unexpected trailing text')
    const s = Go(_o(i))
    return (Yo(s, r), s)
  }
  matchType(e) {
    for (let t = 0; t < this.next.length; t++) if (this.next[t].type == e) return this.next[t].next
    return null
  }
  matchFragment(e, t = 0, r = e.childCount) {
    let i = this
    for (let s = t; i && s < r; s++) i = i.matchType(e.child(s).type)
    return i
  }
  get inlineContent() {
    return this.next.length != 0 && this.next[0].type.isInline
  }
  get defaultType() {
    for (let e = 0; e < this.next.length; e++) {
      const { type: t } = this.next[e]
      if (!(t.isText || t.hasRequiredAttrs())) return t
    }
    return null
  }
  compatible(e) {
    for (let t = 0; t < this.next.length; t++)
      for (let r = 0; r < e.next.length; r++) if (this.next[t].type == e.next[r].type) return !0
    return !1
  }
  fillBefore(e, t = !1, r = 0) {
    const i = [this]
    function s(o, l) {
      const a = o.matchFragment(e, r)
      if (a && (!t || a.validEnd)) return y.from(l.map((c) => c.createAndFill()))
      for (let c = 0; c < o.next.length; c++) {
        const { type: f, next: h } = o.next[c]
        if (!(f.isText || f.hasRequiredAttrs()) && i.indexOf(h) == -1) {
          i.push(h)
          const u = s(h, l.concat(f))
          if (u) return u
        }
      }
      return null
    }
    return s(this, [])
  }
  findWrapping(e) {
    for (let r = 0; r < this.wrapCache.length; r += 2) if (this.wrapCache[r] == e) return this.wrapCache[r + 1]
    const t = this.computeWrapping(e)
    return (this.wrapCache.push(e, t), t)
  }
  computeWrapping(e) {
    const t = Object.create(null),
      r = [{ match: this, type: null, via: null }]
    for (; r.length; ) {
      const i = r.shift(),
        s = i.match
      if (s.matchType(e)) {
        const o = []
        for (let l = i; l.type; l = l.via) o.push(l.type)
        return o.reverse()
      }
      for (let o = 0; o < s.next.length; o++) {
        const { type: l, next: a } = s.next[o]
        !l.isLeaf &&
          !l.hasRequiredAttrs() &&
          !(l.name in t) &&
          (!i.type || a.validEnd) &&
          (r.push({ match: l.contentMatch, type: l, via: i }), (t[l.name] = !0))
      }
    }
    return null
  }
  get edgeCount() {
    return this.next.length
  }
  edge(e) {
    if (e >= this.next.length) throw new RangeError(`There's no ${e}th edge in this content match`)
    return this.next[e]
  }
  toString() {
    const e = []
    function t(r) {
      e.push(r)
      for (let i = 0; i < r.next.length; i++) e.indexOf(r.next[i].next) == -1 && t(r.next[i].next)
    }
    return (
      t(this),
      e
        .map((r, i) => {
          let s = i + (r.validEnd ? '*' : ' ') + ' '
          for (let o = 0; o < r.next.length; o++)
            s += (o ? ', ' : '') + r.next[o].type.name + '->' + e.indexOf(r.next[o].next)
          return s
        })
        .join(`
`)
    )
  }
}
Pe.empty = new Pe(!0)
var zn = class {
  constructor(e, t) {
    ;(this.string = e),
      (this.nodeTypes = t),
      (this.inline = null),
      (this.pos = 0),
      (this.tokens = e.split(/\s*(?=\b|\W|$)/)),
      this.tokens[this.tokens.length - 1] == '' && this.tokens.pop(),
      this.tokens[0] == '' && this.tokens.shift()
  }
  get next() {
    return this.tokens[this.pos]
  }
  eat(e) {
    return this.next == e && (this.pos++ || !0)
  }
  err(e) {
    throw new SyntaxError(e + " (in content expression '" + this.string + "')")
  }
}
function ui(n) {
  const e = []
  do e.push(qo(n))
  while (n.eat('|'))
  return e.length == 1 ? e[0] : { type: 'choice', exprs: e }
}
function qo(n) {
  const e = []
  do e.push(Ho(n))
  while (n.next && n.next != ')' && n.next != '|')
  return e.length == 1 ? e[0] : { type: 'seq', exprs: e }
}
function Ho(n) {
  let e = jo(n)
  for (;;)
    if (n.eat('+')) e = { type: 'plus', expr: e }
    else if (n.eat('*')) e = { type: 'star', expr: e }
    else if (n.eat('?')) e = { type: 'opt', expr: e }
    else if (n.eat('{')) e = Ko(n, e)
    else break
  return e
}
function _r(n) {
  ;/\D/.test(n.next) && n.err("Expected number, got '" + n.next + "'")
  const e = Number(n.next)
  return (n.pos++, e)
}
function Ko(n, e) {
  let t = _r(n),
    r = t
  return (
    n.eat(',') && (n.next != '}' ? (r = _r(n)) : (r = -1)),
    n.eat('}') || n.err('Unclosed braced range'),
    { type: 'range', min: t, max: r, expr: e }
  )
}
function Uo(n, e) {
  const t = n.nodeTypes,
    r = t[e]
  if (r) return [r]
  const i = []
  for (const s in t) {
    const o = t[s]
    o.isInGroup(e) && i.push(o)
  }
  return (i.length == 0 && n.err("No node type or group '" + e + "' found"), i)
}
function jo(n) {
  if (n.eat('(')) {
    const e = ui(n)
    return (n.eat(')') || n.err('Missing closing paren'), e)
  } else if (/\W/.test(n.next)) n.err("Unexpected token '" + n.next + "'")
  else {
    const e = Uo(n, n.next).map(
      (t) => (
        n.inline == null ? (n.inline = t.isInline) : n.inline != t.isInline && n.err('Mixing inline and block content'),
        { type: 'name', value: t }
      ),
    )
    return (n.pos++, e.length == 1 ? e[0] : { type: 'choice', exprs: e })
  }
}
function _o(n) {
  const e = [[]]
  return (i(s(n, 0), t()), e)
  function t() {
    return e.push([]) - 1
  }
  function r(o, l, a) {
    const c = { term: a, to: l }
    return (e[o].push(c), c)
  }
  function i(o, l) {
    o.forEach((a) => (a.to = l))
  }
  function s(o, l) {
    if (o.type == 'choice') return o.exprs.reduce((a, c) => a.concat(s(c, l)), [])
    if (o.type == 'seq')
      for (let a = 0; ; a++) {
        const c = s(o.exprs[a], l)
        if (a == o.exprs.length - 1) return c
        i(c, (l = t()))
      }
    else if (o.type == 'star') {
      const a = t()
      return (r(l, a), i(s(o.expr, a), a), [r(a)])
    } else if (o.type == 'plus') {
      const a = t()
      return (i(s(o.expr, l), a), i(s(o.expr, a), a), [r(a)])
    } else {
      if (o.type == 'opt') return [r(l)].concat(s(o.expr, l))
      if (o.type == 'range') {
        let a = l
        for (let c = 0; c < o.min; c++) {
          const f = t()
          i(s(o.expr, a), f), (a = f)
        }
        if (o.max == -1) i(s(o.expr, a), a)
        else
          for (let c = o.min; c < o.max; c++) {
            const f = t()
            r(a, f), i(s(o.expr, a), f), (a = f)
          }
        return [r(a)]
      } else {
        if (o.type == 'name') return [r(l, void 0, o.value)]
        throw new Error('Unknown expr type')
      }
    }
  }
}
function di(n, e) {
  return e - n
}
function Gr(n, e) {
  const t = []
  return (r(e), t.sort(di))
  function r(i) {
    const s = n[i]
    if (s.length == 1 && !s[0].term) return r(s[0].to)
    t.push(i)
    for (let o = 0; o < s.length; o++) {
      const { term: l, to: a } = s[o]
      !l && t.indexOf(a) == -1 && r(a)
    }
  }
}
function Go(n) {
  const e = Object.create(null)
  return t(Gr(n, 0))
  function t(r) {
    const i = []
    r.forEach((o) => {
      n[o].forEach(({ term: l, to: a }) => {
        if (!l) return
        let c
        for (let f = 0; f < i.length; f++) i[f][0] == l && (c = i[f][1])
        Gr(n, a).forEach((f) => {
          c || i.push([l, (c = [])]), c.indexOf(f) == -1 && c.push(f)
        })
      })
    })
    const s = (e[r.join(',')] = new Pe(r.indexOf(n.length - 1) > -1))
    for (let o = 0; o < i.length; o++) {
      const l = i[o][1].sort(di)
      s.next.push({ type: i[o][0], next: e[l.join(',')] || t(l) })
    }
    return s
  }
}
function Yo(n, e) {
  for (let t = 0, r = [n]; t < r.length; t++) {
    let i = r[t],
      s = !i.validEnd,
      o = []
    for (let l = 0; l < i.next.length; l++) {
      const { type: a, next: c } = i.next[l]
      o.push(a.name), s && !(a.isText || a.hasRequiredAttrs()) && (s = !1), r.indexOf(c) == -1 && r.push(c)
    }
    s &&
      e.err(
        'Only non-generatable nodes (' +
          o.join(', ') +
          ') in a required position (see https://prosemirror.net/docs/guide/#generatable)',
      )
  }
}
function pi(n) {
  const e = Object.create(null)
  for (const t in n) {
    const r = n[t]
    if (!r.hasDefault) return null
    e[t] = r.default
  }
  return e
}
function mi(n, e) {
  const t = Object.create(null)
  for (const r in n) {
    let i = n[r],
      s = e && e[r]
    if (s === void 0)
      if (i.hasDefault) s = i.default
      else throw new RangeError('No value supplied for attribute ' + r)
    else i.validate && i.validate(s)
    t[r] = s
  }
  return t
}
function gi(n, e) {
  const t = Object.create(null)
  if (e) for (const r in e) t[r] = new vn(n, r, e[r])
  return t
}
var ae = class n {
  constructor(e, t, r) {
    ;(this.name = e),
      (this.schema = t),
      (this.spec = r),
      (this.markSet = null),
      (this.groups = r.group ? r.group.split(' ') : []),
      (this.attrs = gi(e, r.attrs)),
      (this.defaultAttrs = pi(this.attrs)),
      (this.contentMatch = null),
      (this.inlineContent = null),
      (this.isBlock = !(r.inline || e == 'text')),
      (this.isText = e == 'text')
  }
  get isInline() {
    return !this.isBlock
  }
  get isTextblock() {
    return this.isBlock && this.inlineContent
  }
  get isLeaf() {
    return this.contentMatch == Pe.empty
  }
  get isAtom() {
    return this.isLeaf || !!this.spec.atom
  }
  isInGroup(e) {
    return this.groups.indexOf(e) > -1
  }
  get whitespace() {
    return this.spec.whitespace || (this.spec.code ? 'pre' : 'normal')
  }
  hasRequiredAttrs() {
    for (const e in this.attrs) if (this.attrs[e].isRequired) return !0
    return !1
  }
  compatibleContent(e) {
    return this == e || this.contentMatch.compatible(e.contentMatch)
  }
  computeAttrs(e) {
    return !e && this.defaultAttrs ? this.defaultAttrs : mi(this.attrs, e)
  }
  create(e = null, t, r) {
    if (this.isText) throw new Error("NodeType.create can't construct text nodes")
    return new Y(this, this.computeAttrs(e), y.from(t), C.setFrom(r))
  }
  createChecked(e = null, t, r) {
    return ((t = y.from(t)), this.checkContent(t), new Y(this, this.computeAttrs(e), t, C.setFrom(r)))
  }
  createAndFill(e = null, t, r) {
    if (((e = this.computeAttrs(e)), (t = y.from(t)), t.size)) {
      const o = this.contentMatch.fillBefore(t)
      if (!o) return null
      t = o.append(t)
    }
    const i = this.contentMatch.matchFragment(t),
      s = i && i.fillBefore(y.empty, !0)
    return s ? new Y(this, e, t.append(s), C.setFrom(r)) : null
  }
  validContent(e) {
    const t = this.contentMatch.matchFragment(e)
    if (!t || !t.validEnd) return !1
    for (let r = 0; r < e.childCount; r++) if (!this.allowsMarks(e.child(r).marks)) return !1
    return !0
  }
  checkContent(e) {
    if (!this.validContent(e))
      throw new RangeError(`Invalid content for node ${this.name}: ${e.toString().slice(0, 50)}`)
  }
  checkAttrs(e) {}
  allowsMarkType(e) {
    return this.markSet == null || this.markSet.indexOf(e) > -1
  }
  allowsMarks(e) {
    if (this.markSet == null) return !0
    for (let t = 0; t < e.length; t++) if (!this.allowsMarkType(e[t].type)) return !1
    return !0
  }
  allowedMarks(e) {
    if (this.markSet == null) return e
    let t
    for (let r = 0; r < e.length; r++) this.allowsMarkType(e[r].type) ? t && t.push(e[r]) : t || (t = e.slice(0, r))
    return t ? (t.length ? t : C.none) : e
  }
  static compile(e, t) {
    const r = Object.create(null)
    e.forEach((s, o) => (r[s] = new n(s, t, o)))
    const i = t.spec.topNode || 'doc'
    if (!r[i]) throw new RangeError("Schema is missing its top node type ('" + i + "')")
    if (!r.text) throw new RangeError("Every schema needs a 'text' type")
    for (const s in r.text.attrs) throw new RangeError('The text node type should not have attributes')
    return r
  }
}
function Xo(n, e, t) {
  const r = t.split('|')
  return (i) => {
    const s = i === null ? 'null' : typeof i
    if (r.indexOf(s) < 0) throw new RangeError(`Expected value of type ${r} for attribute ${e} on type ${n}, got ${s}`)
  }
}
var vn = class {
    constructor(e, t, r) {
      ;(this.hasDefault = Object.hasOwn(r, 'default')),
        (this.default = r.default),
        (this.validate = typeof r.validate == 'string' ? Xo(e, t, r.validate) : r.validate)
    }
    get isRequired() {
      return !this.hasDefault
    }
  },
  mt = class n {
    constructor(e, t, r, i) {
      ;(this.name = e),
        (this.rank = t),
        (this.schema = r),
        (this.spec = i),
        (this.attrs = gi(e, i.attrs)),
        (this.excluded = null)
      const s = pi(this.attrs)
      this.instance = s ? new C(this, s) : null
    }
    create(e = null) {
      return !e && this.instance ? this.instance : new C(this, mi(this.attrs, e))
    }
    static compile(e, t) {
      let r = Object.create(null),
        i = 0
      return (e.forEach((s, o) => (r[s] = new n(s, i++, t, o))), r)
    }
    removeFromSet(e) {
      for (var t = 0; t < e.length; t++) e[t].type == this && ((e = e.slice(0, t).concat(e.slice(t + 1))), t--)
      return e
    }
    isInSet(e) {
      for (let t = 0; t < e.length; t++) if (e[t].type == this) return e[t]
    }
    excludes(e) {
      return this.excluded.indexOf(e) > -1
    }
  },
  _t = class {
    constructor(e) {
      ;(this.linebreakReplacement = null), (this.cached = Object.create(null))
      const t = (this.spec = {})
      for (const i in e) t[i] = e[i]
      ;(t.nodes = An.from(e.nodes)),
        (t.marks = An.from(e.marks || {})),
        (this.nodes = ae.compile(this.spec.nodes, this)),
        (this.marks = mt.compile(this.spec.marks, this))
      const r = Object.create(null)
      for (const i in this.nodes) {
        if (i in this.marks) throw new RangeError(i + ' can not be both a node and a mark')
        const s = this.nodes[i],
          o = s.spec.content || '',
          l = s.spec.marks
        if (
          ((s.contentMatch = r[o] || (r[o] = Pe.parse(o, this.nodes))),
          (s.inlineContent = s.contentMatch.inlineContent),
          s.spec.linebreakReplacement)
        ) {
          if (this.linebreakReplacement) throw new RangeError('Multiple linebreak nodes defined')
          if (!s.isInline || !s.isLeaf) throw new RangeError('Linebreak replacement nodes must be inline leaf nodes')
          this.linebreakReplacement = s
        }
        s.markSet = l == '_' ? null : l ? Yr(this, l.split(' ')) : l == '' || !s.inlineContent ? [] : null
      }
      for (const i in this.marks) {
        const s = this.marks[i],
          o = s.spec.excludes
        s.excluded = o == null ? [s] : o == '' ? [] : Yr(this, o.split(' '))
      }
      ;(this.nodeFromJSON = (i) => Y.fromJSON(this, i)),
        (this.markFromJSON = (i) => C.fromJSON(this, i)),
        (this.topNodeType = this.nodes[this.spec.topNode || 'doc']),
        (this.cached.wrappings = Object.create(null))
    }
    node(e, t = null, r, i) {
      if (typeof e == 'string') e = this.nodeType(e)
      else if (e instanceof ae) {
        if (e.schema != this) throw new RangeError('Node type from different schema used (' + e.name + ')')
      } else throw new RangeError('Invalid node type: ' + e)
      return e.createChecked(t, r, i)
    }
    text(e, t) {
      const r = this.nodes.text
      return new Pn(r, r.defaultAttrs, e, C.setFrom(t))
    }
    mark(e, t) {
      return (typeof e == 'string' && (e = this.marks[e]), e.create(t))
    }
    nodeType(e) {
      const t = this.nodes[e]
      if (!t) throw new RangeError('Unknown node type: ' + e)
      return t
    }
  }
function Yr(n, e) {
  const t = []
  for (let r = 0; r < e.length; r++) {
    let i = e[r],
      s = n.marks[i],
      o = s
    if (s) t.push(s)
    else
      for (const l in n.marks) {
        const a = n.marks[l]
        ;(i == '_' || (a.spec.group && a.spec.group.split(' ').indexOf(i) > -1)) && t.push((o = a))
      }
    if (!o) throw new SyntaxError("Unknown mark type: '" + e[r] + "'")
  }
  return t
}
function Qo(n) {
  return n.tag != null
}
function Zo(n) {
  return n.style != null
}
var ke = class n {
    constructor(e, t) {
      ;(this.schema = e), (this.rules = t), (this.tags = []), (this.styles = [])
      const r = (this.matchedStyles = [])
      t.forEach((i) => {
        if (Qo(i)) this.tags.push(i)
        else if (Zo(i)) {
          const s = /[^=]*/.exec(i.style)[0]
          r.indexOf(s) < 0 && r.push(s), this.styles.push(i)
        }
      }),
        (this.normalizeLists = !this.tags.some((i) => {
          if (!/^(ul|ol)\b/.test(i.tag) || !i.node) return !1
          const s = e.nodes[i.node]
          return s.contentMatch.matchType(s)
        }))
    }
    parse(e, t = {}) {
      const r = new Gt(this, t, !1)
      return (r.addAll(e, C.none, t.from, t.to), r.finish())
    }
    parseSlice(e, t = {}) {
      const r = new Gt(this, t, !0)
      return (r.addAll(e, C.none, t.from, t.to), b.maxOpen(r.finish()))
    }
    matchTag(e, t, r) {
      for (let i = r ? this.tags.indexOf(r) + 1 : 0; i < this.tags.length; i++) {
        const s = this.tags[i]
        if (
          nl(e, s.tag) &&
          (s.namespace === void 0 || e.namespaceURI == s.namespace) &&
          (!s.context || t.matchesContext(s.context))
        ) {
          if (s.getAttrs) {
            const o = s.getAttrs(e)
            if (o === !1) continue
            s.attrs = o || void 0
          }
          return s
        }
      }
    }
    matchStyle(e, t, r, i) {
      for (let s = i ? this.styles.indexOf(i) + 1 : 0; s < this.styles.length; s++) {
        const o = this.styles[s],
          l = o.style
        if (
          !(
            l.indexOf(e) != 0 ||
            (o.context && !r.matchesContext(o.context)) ||
            (l.length > e.length && (l.charCodeAt(e.length) != 61 || l.slice(e.length + 1) != t))
          )
        ) {
          if (o.getAttrs) {
            const a = o.getAttrs(t)
            if (a === !1) continue
            o.attrs = a || void 0
          }
          return o
        }
      }
    }
    static schemaRules(e) {
      const t = []
      function r(i) {
        let s = i.priority == null ? 50 : i.priority,
          o = 0
        for (; o < t.length; o++) {
          const l = t[o]
          if ((l.priority == null ? 50 : l.priority) < s) break
        }
        t.splice(o, 0, i)
      }
      for (const i in e.marks) {
        const s = e.marks[i].spec.parseDOM
        s &&
          s.forEach((o) => {
            r((o = Qr(o))), o.mark || o.ignore || o.clearMark || (o.mark = i)
          })
      }
      for (const i in e.nodes) {
        const s = e.nodes[i].spec.parseDOM
        s &&
          s.forEach((o) => {
            r((o = Qr(o))), o.node || o.ignore || o.mark || (o.node = i)
          })
      }
      return t
    }
    static fromSchema(e) {
      return e.cached.domParser || (e.cached.domParser = new n(e, n.schemaRules(e)))
    }
  },
  yi = {
    address: !0,
    article: !0,
    aside: !0,
    blockquote: !0,
    body: !0,
    canvas: !0,
    dd: !0,
    div: !0,
    dl: !0,
    fieldset: !0,
    figcaption: !0,
    figure: !0,
    footer: !0,
    form: !0,
    h1: !0,
    h2: !0,
    h3: !0,
    h4: !0,
    h5: !0,
    h6: !0,
    header: !0,
    hgroup: !0,
    hr: !0,
    li: !0,
    noscript: !0,
    ol: !0,
    output: !0,
    p: !0,
    pre: !0,
    section: !0,
    table: !0,
    tfoot: !0,
    ul: !0,
  },
  el = { head: !0, noscript: !0, object: !0, script: !0, style: !0, title: !0 },
  bi = { ol: !0, ul: !0 },
  gt = 1,
  Fn = 2,
  pt = 4
function Xr(n, e, t) {
  return e != null ? (e ? gt : 0) | (e === 'full' ? Fn : 0) : n && n.whitespace == 'pre' ? gt | Fn : t & ~pt
}
var Ye = class {
    constructor(e, t, r, i, s, o) {
      ;(this.type = e),
        (this.attrs = t),
        (this.marks = r),
        (this.solid = i),
        (this.options = o),
        (this.content = []),
        (this.activeMarks = C.none),
        (this.match = s || (o & pt ? null : e.contentMatch))
    }
    findWrapping(e) {
      if (!this.match) {
        if (!this.type) return []
        const t = this.type.contentMatch.fillBefore(y.from(e))
        if (t) this.match = this.type.contentMatch.matchFragment(t)
        else {
          let r = this.type.contentMatch,
            i
          return (i = r.findWrapping(e.type)) ? ((this.match = r), i) : null
        }
      }
      return this.match.findWrapping(e.type)
    }
    finish(e) {
      if (!(this.options & gt)) {
        let r = this.content[this.content.length - 1],
          i
        if (r && r.isText && (i = /[ \t\r\n\u000c]+$/.exec(r.text))) {
          const s = r
          r.text.length == i[0].length
            ? this.content.pop()
            : (this.content[this.content.length - 1] = s.withText(s.text.slice(0, s.text.length - i[0].length)))
        }
      }
      let t = y.from(this.content)
      return (
        !e && this.match && (t = t.append(this.match.fillBefore(y.empty, !0))),
        this.type ? this.type.create(this.attrs, t, this.marks) : t
      )
    }
    inlineContext(e) {
      return this.type
        ? this.type.inlineContent
        : this.content.length
          ? this.content[0].isInline
          : e.parentNode && !Object.hasOwn(yi, e.parentNode.nodeName.toLowerCase())
    }
  },
  Gt = class {
    constructor(e, t, r) {
      ;(this.parser = e), (this.options = t), (this.isOpen = r), (this.open = 0), (this.localPreserveWS = !1)
      let i = t.topNode,
        s,
        o = Xr(null, t.preserveWhitespace, 0) | (r ? pt : 0)
      i
        ? (s = new Ye(i.type, i.attrs, C.none, !0, t.topMatch || i.type.contentMatch, o))
        : r
          ? (s = new Ye(null, null, C.none, !0, null, o))
          : (s = new Ye(e.schema.topNodeType, null, C.none, !0, null, o)),
        (this.nodes = [s]),
        (this.find = t.findPositions),
        (this.needsBlock = !1)
    }
    get top() {
      return this.nodes[this.open]
    }
    addDOM(e, t) {
      e.nodeType == 3 ? this.addTextNode(e, t) : e.nodeType == 1 && this.addElement(e, t)
    }
    addTextNode(e, t) {
      let r = e.nodeValue,
        i = this.top,
        s = i.options & Fn ? 'full' : this.localPreserveWS || (i.options & gt) > 0,
        { schema: o } = this.parser
      if (s === 'full' || i.inlineContext(e) || /[^ \t\r\n\u000c]/.test(r)) {
        if (s)
          if (s === 'full')
            r = r.replace(
              /\r\n?/g,
              `
`,
            )
          else if (
            o.linebreakReplacement &&
            /[\r\n]/.test(r) &&
            this.top.findWrapping(o.linebreakReplacement.create())
          ) {
            const l = r.split(/\r?\n|\r/)
            for (let a = 0; a < l.length; a++)
              a && this.insertNode(o.linebreakReplacement.create(), t, !0),
                l[a] && this.insertNode(o.text(l[a]), t, !/\S/.test(l[a]))
            r = ''
          } else r = r.replace(/\r?\n|\r/g, ' ')
        else if (
          ((r = r.replace(/[ \t\r\n\u000c]+/g, ' ')), /^[ \t\r\n\u000c]/.test(r) && this.open == this.nodes.length - 1)
        ) {
          const l = i.content[i.content.length - 1],
            a = e.previousSibling
          ;(!l || (a && a.nodeName == 'BR') || (l.isText && /[ \t\r\n\u000c]$/.test(l.text))) && (r = r.slice(1))
        }
        r && this.insertNode(o.text(r), t, !/\S/.test(r)), this.findInText(e)
      } else this.findInside(e)
    }
    addElement(e, t, r) {
      let i = this.localPreserveWS,
        s = this.top
      ;(e.tagName == 'PRE' || /pre/.test(e.style && e.style.whiteSpace)) && (this.localPreserveWS = !0)
      let o = e.nodeName.toLowerCase(),
        l
      Object.hasOwn(bi, o) && this.parser.normalizeLists && tl(e)
      const a = (this.options.ruleFromNode && this.options.ruleFromNode(e)) || (l = this.parser.matchTag(e, this, r))
      e: if (a ? a.ignore : Object.hasOwn(el, o)) this.findInside(e), this.ignoreFallback(e, t)
      else if (!a || a.skip || a.closeParent) {
        a && a.closeParent ? (this.open = Math.max(0, this.open - 1)) : a && a.skip.nodeType && (e = a.skip)
        let c,
          f = this.needsBlock
        if (Object.hasOwn(yi, o))
          s.content.length && s.content[0].isInline && this.open && (this.open--, (s = this.top)),
            (c = !0),
            s.type || (this.needsBlock = !0)
        else if (!e.firstChild) {
          this.leafFallback(e, t)
          break e
        }
        const h = a && a.skip ? t : this.readStyles(e, t)
        h && this.addAll(e, h), c && this.sync(s), (this.needsBlock = f)
      } else {
        const c = this.readStyles(e, t)
        c && this.addElementByRule(e, a, c, a.consuming === !1 ? l : void 0)
      }
      this.localPreserveWS = i
    }
    leafFallback(e, t) {
      e.nodeName == 'BR' &&
        this.top.type &&
        this.top.type.inlineContent &&
        this.addTextNode(
          e.ownerDocument.createTextNode(`
`),
          t,
        )
    }
    ignoreFallback(e, t) {
      e.nodeName == 'BR' &&
        (!this.top.type || !this.top.type.inlineContent) &&
        this.findPlace(this.parser.schema.text('-'), t, !0)
    }
    readStyles(e, t) {
      const r = e.style
      if (r && r.length)
        for (let i = 0; i < this.parser.matchedStyles.length; i++) {
          const s = this.parser.matchedStyles[i],
            o = r.getPropertyValue(s)
          if (o)
            for (let l = void 0; ; ) {
              const a = this.parser.matchStyle(s, o, this, l)
              if (!a) break
              if (a.ignore) return null
              if (
                (a.clearMark
                  ? (t = t.filter((c) => !a.clearMark(c)))
                  : (t = t.concat(this.parser.schema.marks[a.mark].create(a.attrs))),
                a.consuming === !1)
              )
                l = a
              else break
            }
        }
      return t
    }
    addElementByRule(e, t, r, i) {
      let s, o
      if (t.node)
        if (((o = this.parser.schema.nodes[t.node]), o.isLeaf))
          this.insertNode(o.create(t.attrs), r, e.nodeName == 'BR') || this.leafFallback(e, r)
        else {
          const a = this.enter(o, t.attrs || null, r, t.preserveWhitespace)
          a && ((s = !0), (r = a))
        }
      else {
        const a = this.parser.schema.marks[t.mark]
        r = r.concat(a.create(t.attrs))
      }
      const l = this.top
      if (o && o.isLeaf) this.findInside(e)
      else if (i) this.addElement(e, r, i)
      else if (t.getContent)
        this.findInside(e), t.getContent(e, this.parser.schema).forEach((a) => this.insertNode(a, r, !1))
      else {
        let a = e
        typeof t.contentElement == 'string'
          ? (a = e.querySelector(t.contentElement))
          : typeof t.contentElement == 'function'
            ? (a = t.contentElement(e))
            : t.contentElement && (a = t.contentElement),
          this.findAround(e, a, !0),
          this.addAll(a, r),
          this.findAround(e, a, !1)
      }
      s && this.sync(l) && this.open--
    }
    addAll(e, t, r, i) {
      let s = r || 0
      for (
        let o = r ? e.childNodes[r] : e.firstChild, l = i == null ? null : e.childNodes[i];
        o != l;
        o = o.nextSibling, ++s
      )
        this.findAtPoint(e, s), this.addDOM(o, t)
      this.findAtPoint(e, s)
    }
    findPlace(e, t, r) {
      let i, s
      for (let o = this.open, l = 0; o >= 0; o--) {
        const a = this.nodes[o],
          c = a.findWrapping(e)
        if (c && (!i || i.length > c.length + l) && ((i = c), (s = a), !c.length)) break
        if (a.solid) {
          if (r) break
          l += 2
        }
      }
      if (!i) return null
      this.sync(s)
      for (let o = 0; o < i.length; o++) t = this.enterInner(i[o], null, t, !1)
      return t
    }
    insertNode(e, t, r) {
      if (e.isInline && this.needsBlock && !this.top.type) {
        const s = this.textblockFromContext()
        s && (t = this.enterInner(s, null, t))
      }
      const i = this.findPlace(e, t, r)
      if (i) {
        this.closeExtra()
        const s = this.top
        s.match && (s.match = s.match.matchType(e.type))
        let o = C.none
        for (const l of i.concat(e.marks))
          (s.type ? s.type.allowsMarkType(l.type) : Zr(l.type, e.type)) && (o = l.addToSet(o))
        return (s.content.push(e.mark(o)), !0)
      }
      return !1
    }
    enter(e, t, r, i) {
      let s = this.findPlace(e.create(t), r, !1)
      return (s && (s = this.enterInner(e, t, r, !0, i)), s)
    }
    enterInner(e, t, r, i = !1, s) {
      this.closeExtra()
      const o = this.top
      o.match = o.match && o.match.matchType(e)
      let l = Xr(e, s, o.options)
      o.options & pt && o.content.length == 0 && (l |= pt)
      let a = C.none
      return (
        (r = r.filter((c) =>
          (o.type ? o.type.allowsMarkType(c.type) : Zr(c.type, e)) ? ((a = c.addToSet(a)), !1) : !0,
        )),
        this.nodes.push(new Ye(e, t, a, i, null, l)),
        this.open++,
        r
      )
    }
    closeExtra(e = !1) {
      let t = this.nodes.length - 1
      if (t > this.open) {
        for (; t > this.open; t--) this.nodes[t - 1].content.push(this.nodes[t].finish(e))
        this.nodes.length = this.open + 1
      }
    }
    finish() {
      return (
        (this.open = 0), this.closeExtra(this.isOpen), this.nodes[0].finish(!!(this.isOpen || this.options.topOpen))
      )
    }
    sync(e) {
      for (let t = this.open; t >= 0; t--) {
        if (this.nodes[t] == e) return ((this.open = t), !0)
        this.localPreserveWS && (this.nodes[t].options |= gt)
      }
      return !1
    }
    get currentPos() {
      this.closeExtra()
      let e = 0
      for (let t = this.open; t >= 0; t--) {
        const r = this.nodes[t].content
        for (let i = r.length - 1; i >= 0; i--) e += r[i].nodeSize
        t && e++
      }
      return e
    }
    findAtPoint(e, t) {
      if (this.find)
        for (let r = 0; r < this.find.length; r++)
          this.find[r].node == e && this.find[r].offset == t && (this.find[r].pos = this.currentPos)
    }
    findInside(e) {
      if (this.find)
        for (let t = 0; t < this.find.length; t++)
          this.find[t].pos == null &&
            e.nodeType == 1 &&
            e.contains(this.find[t].node) &&
            (this.find[t].pos = this.currentPos)
    }
    findAround(e, t, r) {
      if (e != t && this.find)
        for (let i = 0; i < this.find.length; i++)
          this.find[i].pos == null &&
            e.nodeType == 1 &&
            e.contains(this.find[i].node) &&
            t.compareDocumentPosition(this.find[i].node) & (r ? 2 : 4) &&
            (this.find[i].pos = this.currentPos)
    }
    findInText(e) {
      if (this.find)
        for (let t = 0; t < this.find.length; t++)
          this.find[t].node == e && (this.find[t].pos = this.currentPos - (e.nodeValue.length - this.find[t].offset))
    }
    matchesContext(e) {
      if (e.indexOf('|') > -1) return e.split(/\s*\|\s*/).some(this.matchesContext, this)
      const t = e.split('/'),
        r = this.options.context,
        i = !this.isOpen && (!r || r.parent.type == this.nodes[0].type),
        s = -(r ? r.depth + 1 : 0) + (i ? 0 : 1),
        o = (l, a) => {
          for (; l >= 0; l--) {
            const c = t[l]
            if (c == '') {
              if (l == t.length - 1 || l == 0) continue
              for (; a >= s; a--) if (o(l - 1, a)) return !0
              return !1
            } else {
              const f = a > 0 || (a == 0 && i) ? this.nodes[a].type : r && a >= s ? r.node(a - s).type : null
              if (!f || (f.name != c && !f.isInGroup(c))) return !1
              a--
            }
          }
          return !0
        }
      return o(t.length - 1, this.open)
    }
    textblockFromContext() {
      const e = this.options.context
      if (e)
        for (let t = e.depth; t >= 0; t--) {
          const r = e.node(t).contentMatchAt(e.indexAfter(t)).defaultType
          if (r && r.isTextblock && r.defaultAttrs) return r
        }
      for (const t in this.parser.schema.nodes) {
        const r = this.parser.schema.nodes[t]
        if (r.isTextblock && r.defaultAttrs) return r
      }
    }
  }
function tl(n) {
  for (let e = n.firstChild, t = null; e; e = e.nextSibling) {
    const r = e.nodeType == 1 ? e.nodeName.toLowerCase() : null
    r && Object.hasOwn(bi, r) && t ? (t.appendChild(e), (e = t)) : r == 'li' ? (t = e) : r && (t = null)
  }
}
function nl(n, e) {
  return (n.matches || n.msMatchesSelector || n.webkitMatchesSelector || n.mozMatchesSelector).call(n, e)
}
function Qr(n) {
  const e = {}
  for (const t in n) e[t] = n[t]
  return e
}
function Zr(n, e) {
  const t = e.schema.nodes
  for (const r in t) {
    const i = t[r]
    if (!i.allowsMarkType(n)) continue
    const s = [],
      o = (l) => {
        s.push(l)
        for (let a = 0; a < l.edgeCount; a++) {
          const { type: c, next: f } = l.edge(a)
          if (c == e || (s.indexOf(f) < 0 && o(f))) return !0
        }
      }
    if (o(i.contentMatch)) return !0
  }
}
var ce = class n {
  constructor(e, t) {
    ;(this.nodes = e), (this.marks = t)
  }
  serializeFragment(e, t = {}, r) {
    r || (r = qt(t).createDocumentFragment())
    let i = r,
      s = []
    return (
      e.forEach((o) => {
        if (s.length || o.marks.length) {
          let l = 0,
            a = 0
          for (; l < s.length && a < o.marks.length; ) {
            const c = o.marks[a]
            if (!this.marks[c.type.name]) {
              a++
              continue
            }
            if (!c.eq(s[l][0]) || c.type.spec.spanning === !1) break
            l++, a++
          }
          for (; l < s.length; ) i = s.pop()[1]
          for (; a < o.marks.length; ) {
            const c = o.marks[a++],
              f = this.serializeMark(c, o.isInline, t)
            f && (s.push([c, i]), i.appendChild(f.dom), (i = f.contentDOM || f.dom))
          }
        }
        i.appendChild(this.serializeNodeInner(o, t))
      }),
      r
    )
  }
  serializeNodeInner(e, t) {
    if (e.isText) return qt(t).createTextNode(e.text)
    const { dom: r, contentDOM: i } = Ht(qt(t), this.nodes[e.type.name](e), null, e.attrs)
    if (i) {
      if (e.isLeaf) throw new RangeError('Content hole not allowed in a leaf node spec')
      this.serializeFragment(e.content, t, i)
    }
    return r
  }
  serializeNode(e, t = {}) {
    let r = this.serializeNodeInner(e, t)
    for (let i = e.marks.length - 1; i >= 0; i--) {
      const s = this.serializeMark(e.marks[i], e.isInline, t)
      s && ((s.contentDOM || s.dom).appendChild(r), (r = s.dom))
    }
    return r
  }
  serializeMark(e, t, r = {}) {
    const i = this.marks[e.type.name]
    return i && Ht(qt(r), i(e, t), null, e.attrs)
  }
  static renderSpec(e, t, r = null, i) {
    return typeof t == 'string' ? { dom: e.createTextNode(t) } : Ht(e, t, r, i)
  }
  static fromSchema(e) {
    return e.cached.domSerializer || (e.cached.domSerializer = new n(this.nodesFromSchema(e), this.marksFromSchema(e)))
  }
  static nodesFromSchema(e) {
    const t = ei(e.nodes)
    return (t.text || (t.text = (r) => r.text), t)
  }
  static marksFromSchema(e) {
    return ei(e.marks)
  }
}
function ei(n) {
  const e = {}
  for (const t in n) {
    const r = n[t].spec.toDOM
    r && (e[t] = r)
  }
  return e
}
function qt(n) {
  return n.document || window.document
}
var ti = new WeakMap()
function rl(n) {
  let e = ti.get(n)
  return (e === void 0 && ti.set(n, (e = il(n))), e)
}
function il(n) {
  let e = null
  function t(r) {
    if (r && typeof r == 'object')
      if (Array.isArray(r))
        if (typeof r[0] == 'string') e || (e = []), e.push(r)
        else for (let i = 0; i < r.length; i++) t(r[i])
      else for (const i in r) t(r[i])
  }
  return (t(n), e)
}
function Ht(n, e, t, r) {
  if (e.nodeType == 1) return { dom: e }
  if (e.dom && e.dom.nodeType == 1) return e
  let i = e[0],
    s
  if (typeof i != 'string') throw new RangeError('Invalid array passed to renderSpec')
  if (r && (s = rl(r)) && s.indexOf(e) > -1)
    throw new RangeError(
      'Using an array from an attribute object as a DOM spec. This may be an attempted cross site scripting attack.',
    )
  const o = i.indexOf(' ')
  o > 0 && ((t = i.slice(0, o)), (i = i.slice(o + 1)))
  let l,
    a = t ? n.createElementNS(t, i) : n.createElement(i),
    c = e[1],
    f = 1
  if (c && typeof c == 'object' && c.nodeType == null && !Array.isArray(c)) {
    f = 2
    for (const h in c)
      if (c[h] != null) {
        const u = h.indexOf(' ')
        u > 0
          ? a.setAttributeNS(h.slice(0, u), h.slice(u + 1), c[h])
          : h == 'style' && a.style
            ? (a.style.cssText = c[h])
            : a.setAttribute(h, c[h])
      }
  }
  for (let h = f; h < e.length; h++) {
    const u = e[h]
    if (u === 0) {
      if (h < e.length - 1 || h > f) throw new RangeError('Content hole must be the only child of its parent node')
      return { dom: a, contentDOM: a }
    } else if (typeof u == 'string') a.appendChild(n.createTextNode(u))
    else {
      const { dom: d, contentDOM: p } = Ht(n, u, t, r)
      if ((a.appendChild(d), p)) {
        if (l) throw new RangeError('Multiple content holes')
        l = p
      }
    }
  }
  return { dom: a, contentDOM: l }
}
var Ci = 65535,
  Oi = 2 ** 16
function sl(n, e) {
  return n + e * Oi
}
function ki(n) {
  return n & Ci
}
function ol(n) {
  return (n - (n & Ci)) / Oi
}
var Ni = 1,
  wi = 2,
  Yt = 4,
  Di = 8,
  kt = class {
    constructor(e, t, r) {
      ;(this.pos = e), (this.delInfo = t), (this.recover = r)
    }
    get deleted() {
      return (this.delInfo & Di) > 0
    }
    get deletedBefore() {
      return (this.delInfo & (Ni | Yt)) > 0
    }
    get deletedAfter() {
      return (this.delInfo & (wi | Yt)) > 0
    }
    get deletedAcross() {
      return (this.delInfo & Yt) > 0
    }
  },
  fe = class n {
    constructor(e, t = !1) {
      if (((this.ranges = e), (this.inverted = t), !e.length && n.empty)) return n.empty
    }
    recover(e) {
      let t = 0,
        r = ki(e)
      if (!this.inverted) for (let i = 0; i < r; i++) t += this.ranges[i * 3 + 2] - this.ranges[i * 3 + 1]
      return this.ranges[r * 3] + t + ol(e)
    }
    mapResult(e, t = 1) {
      return this._map(e, t, !1)
    }
    map(e, t = 1) {
      return this._map(e, t, !0)
    }
    _map(e, t, r) {
      let i = 0,
        s = this.inverted ? 2 : 1,
        o = this.inverted ? 1 : 2
      for (let l = 0; l < this.ranges.length; l += 3) {
        const a = this.ranges[l] - (this.inverted ? i : 0)
        if (a > e) break
        const c = this.ranges[l + s],
          f = this.ranges[l + o],
          h = a + c
        if (e <= h) {
          const u = c ? (e == a ? -1 : e == h ? 1 : t) : t,
            d = a + i + (u < 0 ? 0 : f)
          if (r) return d
          let p = e == (t < 0 ? a : h) ? null : sl(l / 3, e - a),
            m = 0
          return (c && ((m |= e == a ? wi : e == h ? Ni : Yt), (t < 0 ? e != a : e != h) && (m |= Di)), new kt(d, m, p))
        }
        i += f - c
      }
      return r ? e + i : new kt(e + i, 0, null)
    }
    touches(e, t) {
      let r = 0,
        i = ki(t),
        s = this.inverted ? 2 : 1,
        o = this.inverted ? 1 : 2
      for (let l = 0; l < this.ranges.length; l += 3) {
        const a = this.ranges[l] - (this.inverted ? r : 0)
        if (a > e) break
        const c = this.ranges[l + s],
          f = a + c
        if (e <= f && l == i * 3) return !0
        r += this.ranges[l + o] - c
      }
      return !1
    }
    forEach(e) {
      const t = this.inverted ? 2 : 1,
        r = this.inverted ? 1 : 2
      for (let i = 0, s = 0; i < this.ranges.length; i += 3) {
        const o = this.ranges[i],
          l = o - (this.inverted ? s : 0),
          a = o + (this.inverted ? 0 : s),
          c = this.ranges[i + t],
          f = this.ranges[i + r]
        e(l, l + c, a, a + f), (s += f - c)
      }
    }
    invert() {
      return new n(this.ranges, !this.inverted)
    }
    toString() {
      return (this.inverted ? '-' : '') + JSON.stringify(this.ranges)
    }
    static offset(e) {
      return e == 0 ? n.empty : new n(e < 0 ? [0, -e, 0] : [0, 0, e])
    }
  }
fe.empty = new fe([])
var xt = class n {
    constructor(e, t, r = 0, i = e ? e.length : 0) {
      ;(this.mirror = t), (this.from = r), (this.to = i), (this._maps = e || []), (this.ownData = !(e || t))
    }
    get maps() {
      return this._maps
    }
    slice(e = 0, t = this.maps.length) {
      return new n(this._maps, this.mirror, e, t)
    }
    appendMap(e, t) {
      this.ownData ||
        ((this._maps = this._maps.slice()), (this.mirror = this.mirror && this.mirror.slice()), (this.ownData = !0)),
        (this.to = this._maps.push(e)),
        t != null && this.setMirror(this._maps.length - 1, t)
    }
    appendMapping(e) {
      for (let t = 0, r = this._maps.length; t < e._maps.length; t++) {
        const i = e.getMirror(t)
        this.appendMap(e._maps[t], i != null && i < t ? r + i : void 0)
      }
    }
    getMirror(e) {
      if (this.mirror) {
        for (let t = 0; t < this.mirror.length; t++) if (this.mirror[t] == e) return this.mirror[t + (t % 2 ? -1 : 1)]
      }
    }
    setMirror(e, t) {
      this.mirror || (this.mirror = []), this.mirror.push(e, t)
    }
    appendMappingInverted(e) {
      for (let t = e.maps.length - 1, r = this._maps.length + e._maps.length; t >= 0; t--) {
        const i = e.getMirror(t)
        this.appendMap(e._maps[t].invert(), i != null && i > t ? r - i - 1 : void 0)
      }
    }
    invert() {
      const e = new n()
      return (e.appendMappingInverted(this), e)
    }
    map(e, t = 1) {
      if (this.mirror) return this._map(e, t, !0)
      for (let r = this.from; r < this.to; r++) e = this._maps[r].map(e, t)
      return e
    }
    mapResult(e, t = 1) {
      return this._map(e, t, !1)
    }
    _map(e, t, r) {
      let i = 0
      for (let s = this.from; s < this.to; s++) {
        const o = this._maps[s],
          l = o.mapResult(e, t)
        if (l.recover != null) {
          const a = this.getMirror(s)
          if (a != null && a > s && a < this.to) {
            ;(s = a), (e = this._maps[a].recover(l.recover))
            continue
          }
        }
        ;(i |= l.delInfo), (e = l.pos)
      }
      return r ? e : new kt(e, i, null)
    }
  },
  Ln = Object.create(null),
  T = class {
    getMap() {
      return fe.empty
    }
    merge(e) {
      return null
    }
    static fromJSON(e, t) {
      if (!t || !t.stepType) throw new RangeError('Invalid input for Step.fromJSON')
      const r = Ln[t.stepType]
      if (!r) throw new RangeError(`No step type ${t.stepType} defined`)
      return r.fromJSON(e, t)
    }
    static jsonID(e, t) {
      if (e in Ln) throw new RangeError('Duplicate use of step JSON ID ' + e)
      return ((Ln[e] = t), (t.prototype.jsonID = e), t)
    }
  },
  B = class n {
    constructor(e, t) {
      ;(this.doc = e), (this.failed = t)
    }
    static ok(e) {
      return new n(e, null)
    }
    static fail(e) {
      return new n(null, e)
    }
    static fromReplace(e, t, r, i) {
      try {
        return n.ok(e.replace(t, r, i))
      } catch (s) {
        if (s instanceof be) return n.fail(s.message)
        throw s
      }
    }
  }
function Wn(n, e, t) {
  const r = []
  for (let i = 0; i < n.childCount; i++) {
    let s = n.child(i)
    s.content.size && (s = s.copy(Wn(s.content, e, s))), s.isInline && (s = e(s, t, i)), r.push(s)
  }
  return y.fromArray(r)
}
var St = class n extends T {
  constructor(e, t, r) {
    super(), (this.from = e), (this.to = t), (this.mark = r)
  }
  apply(e) {
    const t = e.slice(this.from, this.to),
      r = e.resolve(this.from),
      i = r.node(r.sharedDepth(this.to)),
      s = new b(
        Wn(
          t.content,
          (o, l) => (!o.isAtom || !l.type.allowsMarkType(this.mark.type) ? o : o.mark(this.mark.addToSet(o.marks))),
          i,
        ),
        t.openStart,
        t.openEnd,
      )
    return B.fromReplace(e, this.from, this.to, s)
  }
  invert(e) {
    const t = []
    return (
      e.nodesBetween(this.from, this.to, (r, i) => {
        if (r.isInline && r.isAtom) {
          const s = this.mark.addToSet(r.marks)
          if (!C.sameSet(s, r.marks)) {
            const o = Math.max(this.from, i),
              l = Math.min(this.to, i + r.nodeSize)
            Xt(Xe, o, l, this.mark, t)
            for (const a of r.marks) a.isInSet(s) || Xt(n, o, l, a, t)
          }
        }
      }),
      t.length == 1 ? t[0] : new Mt(t)
    )
  }
  map(e) {
    const t = e.map(this.from, 1),
      r = e.map(this.to, -1)
    return t >= r ? null : new n(t, r, this.mark)
  }
  merge(e) {
    return e instanceof n && e.mark.eq(this.mark) && this.from <= e.to && this.to >= e.from
      ? new n(Math.min(this.from, e.from), Math.max(this.to, e.to), this.mark)
      : null
  }
  toJSON() {
    return { stepType: 'addMark', mark: this.mark.toJSON(), from: this.from, to: this.to }
  }
  static fromJSON(e, t) {
    if (typeof t.from != 'number' || typeof t.to != 'number')
      throw new RangeError('Invalid input for AddMarkStep.fromJSON')
    return new n(t.from, t.to, e.markFromJSON(t.mark))
  }
}
T.jsonID('addMark', St)
var Xe = class n extends T {
  constructor(e, t, r) {
    super(), (this.from = e), (this.to = t), (this.mark = r)
  }
  apply(e) {
    const t = e.slice(this.from, this.to),
      r = new b(
        Wn(t.content, (i) => i.mark(this.mark.removeFromSet(i.marks)), e),
        t.openStart,
        t.openEnd,
      )
    return B.fromReplace(e, this.from, this.to, r)
  }
  invert(e) {
    const t = []
    return (
      e.nodesBetween(this.from, this.to, (r, i) => {
        r.isInline &&
          r.isAtom &&
          this.mark.isInSet(r.marks) &&
          Xt(St, Math.max(this.from, i), Math.min(this.to, i + r.nodeSize), this.mark, t)
      }),
      t.length == 1 ? t[0] : new Mt(t)
    )
  }
  map(e) {
    const t = e.map(this.from, 1),
      r = e.map(this.to, -1)
    return t >= r ? null : new n(t, r, this.mark)
  }
  merge(e) {
    return e instanceof n && e.mark.eq(this.mark) && this.from <= e.to && this.to >= e.from
      ? new n(Math.min(this.from, e.from), Math.max(this.to, e.to), this.mark)
      : null
  }
  toJSON() {
    return { stepType: 'removeMark', mark: this.mark.toJSON(), from: this.from, to: this.to }
  }
  static fromJSON(e, t) {
    if (typeof t.from != 'number' || typeof t.to != 'number')
      throw new RangeError('Invalid input for RemoveMarkStep.fromJSON')
    return new n(t.from, t.to, e.markFromJSON(t.mark))
  }
}
T.jsonID('removeMark', Xe)
function Xt(n, e, t, r, i) {
  const s = i.length ? i[i.length - 1] : null
  s && s instanceof n && s.to == e && s.mark.eq(r) ? (i[i.length - 1] = new n(s.from, t, r)) : i.push(new n(e, t, r))
}
var Mt = class n extends T {
  constructor(e) {
    super(), (this.steps = e)
  }
  apply(e) {
    for (const t of this.steps) {
      const r = t.apply(e)
      if (!r.doc) return r
      e = r.doc
    }
    return new B(e, null)
  }
  invert(e) {
    return new n(this.steps.map((t) => t.invert(e)))
  }
  map(e) {
    const t = []
    for (const r of this.steps) {
      const i = r.map(e)
      i && t.push(i)
    }
    return t.length ? new n(t) : null
  }
  toJSON() {
    return { stepType: 'markSet', steps: this.steps.map((e) => e.toJSON()) }
  }
  static fromJSON(e, t) {
    if (!Array.isArray(t.steps) || !t.steps.every((r) => r.stepType == 'addMark' || r.stepType == 'removeMark'))
      throw new RangeError('Invalid JSON for MarkSetStep')
    return new n(t.steps.map((r) => T.fromJSON(e, r)))
  }
}
T.jsonID('markSet', Mt)
var Ct = class n extends T {
  constructor(e, t) {
    super(), (this.pos = e), (this.mark = t)
  }
  apply(e) {
    const t = e.nodeAt(this.pos)
    if (!t) return B.fail("No node at mark step's position")
    const r = t.type.create(t.attrs, null, this.mark.addToSet(t.marks))
    return B.fromReplace(e, this.pos, this.pos + 1, new b(y.from(r), 0, t.isLeaf ? 0 : 1))
  }
  invert(e) {
    const t = e.nodeAt(this.pos)
    if (t) {
      const r = this.mark.addToSet(t.marks)
      if (r.length == t.marks.length) {
        for (let i = 0; i < t.marks.length; i++) if (!t.marks[i].isInSet(r)) return new n(this.pos, t.marks[i])
        return new n(this.pos, this.mark)
      }
    }
    return new Qe(this.pos, this.mark)
  }
  map(e) {
    const t = e.mapResult(this.pos, 1)
    return t.deletedAfter ? null : new n(t.pos, this.mark)
  }
  toJSON() {
    return { stepType: 'addNodeMark', pos: this.pos, mark: this.mark.toJSON() }
  }
  static fromJSON(e, t) {
    if (typeof t.pos != 'number') throw new RangeError('Invalid input for AddNodeMarkStep.fromJSON')
    return new n(t.pos, e.markFromJSON(t.mark))
  }
}
T.jsonID('addNodeMark', Ct)
var Qe = class n extends T {
  constructor(e, t) {
    super(), (this.pos = e), (this.mark = t)
  }
  apply(e) {
    const t = e.nodeAt(this.pos)
    if (!t) return B.fail("No node at mark step's position")
    const r = t.type.create(t.attrs, null, this.mark.removeFromSet(t.marks))
    return B.fromReplace(e, this.pos, this.pos + 1, new b(y.from(r), 0, t.isLeaf ? 0 : 1))
  }
  invert(e) {
    const t = e.nodeAt(this.pos)
    return !t || !this.mark.isInSet(t.marks) ? this : new Ct(this.pos, this.mark)
  }
  map(e) {
    const t = e.mapResult(this.pos, 1)
    return t.deletedAfter ? null : new n(t.pos, this.mark)
  }
  toJSON() {
    return { stepType: 'removeNodeMark', pos: this.pos, mark: this.mark.toJSON() }
  }
  static fromJSON(e, t) {
    if (typeof t.pos != 'number') throw new RangeError('Invalid input for RemoveNodeMarkStep.fromJSON')
    return new n(t.pos, e.markFromJSON(t.mark))
  }
}
T.jsonID('removeNodeMark', Qe)
var K = class n extends T {
  constructor(e, t, r, i = !1) {
    super(), (this.from = e), (this.to = t), (this.slice = r), (this.structure = i)
  }
  apply(e) {
    return this.structure && $n(e, this.from, this.to)
      ? B.fail('Structure replace would overwrite content')
      : B.fromReplace(e, this.from, this.to, this.slice)
  }
  getMap() {
    return new fe([this.from, this.to - this.from, this.slice.size])
  }
  invert(e) {
    return new n(this.from, this.from + this.slice.size, e.slice(this.from, this.to))
  }
  map(e) {
    const t = e.mapResult(this.to, -1),
      r = this.from == this.to && n.MAP_BIAS < 0 ? t : e.mapResult(this.from, 1)
    return r.deletedAcross && t.deletedAcross ? null : new n(r.pos, Math.max(r.pos, t.pos), this.slice, this.structure)
  }
  merge(e) {
    if (!(e instanceof n) || e.structure || this.structure) return null
    if (this.from + this.slice.size == e.from && !this.slice.openEnd && !e.slice.openStart) {
      const t =
        this.slice.size + e.slice.size == 0
          ? b.empty
          : new b(this.slice.content.append(e.slice.content), this.slice.openStart, e.slice.openEnd)
      return new n(this.from, this.to + (e.to - e.from), t, this.structure)
    } else if (e.to == this.from && !this.slice.openStart && !e.slice.openEnd) {
      const t =
        this.slice.size + e.slice.size == 0
          ? b.empty
          : new b(e.slice.content.append(this.slice.content), e.slice.openStart, this.slice.openEnd)
      return new n(e.from, this.to, t, this.structure)
    } else return null
  }
  toJSON() {
    const e = { stepType: 'replace', from: this.from, to: this.to }
    return (this.slice.size && (e.slice = this.slice.toJSON()), this.structure && (e.structure = !0), e)
  }
  static fromJSON(e, t) {
    if (typeof t.from != 'number' || typeof t.to != 'number')
      throw new RangeError('Invalid input for ReplaceStep.fromJSON')
    return new n(t.from, t.to, b.fromJSON(e, t.slice), !!t.structure)
  }
}
K.MAP_BIAS = 1
T.jsonID('replace', K)
var P = class n extends T {
  constructor(e, t, r, i, s, o, l = !1) {
    super(),
      (this.from = e),
      (this.to = t),
      (this.gapFrom = r),
      (this.gapTo = i),
      (this.slice = s),
      (this.insert = o),
      (this.structure = l)
  }
  apply(e) {
    if (this.structure && ($n(e, this.from, this.gapFrom) || $n(e, this.gapTo, this.to)))
      return B.fail('Structure gap-replace would overwrite content')
    const t = e.slice(this.gapFrom, this.gapTo)
    if (t.openStart || t.openEnd) return B.fail('Gap is not a flat range')
    const r = this.slice.insertAt(this.insert, t.content)
    return r ? B.fromReplace(e, this.from, this.to, r) : B.fail('Content does not fit in gap')
  }
  getMap() {
    return new fe([
      this.from,
      this.gapFrom - this.from,
      this.insert,
      this.gapTo,
      this.to - this.gapTo,
      this.slice.size - this.insert,
    ])
  }
  invert(e) {
    const t = this.gapTo - this.gapFrom
    return new n(
      this.from,
      this.from + this.slice.size + t,
      this.from + this.insert,
      this.from + this.insert + t,
      e.slice(this.from, this.to).removeBetween(this.gapFrom - this.from, this.gapTo - this.from),
      this.gapFrom - this.from,
      this.structure,
    )
  }
  map(e) {
    const t = e.mapResult(this.from, 1),
      r = e.mapResult(this.to, -1),
      i = this.from == this.gapFrom ? t.pos : e.map(this.gapFrom, -1),
      s = this.to == this.gapTo ? r.pos : e.map(this.gapTo, 1)
    return (t.deletedAcross && r.deletedAcross) || i < t.pos || s > r.pos || i > s
      ? null
      : new n(t.pos, r.pos, i, s, this.slice, this.insert, this.structure)
  }
  toJSON() {
    const e = {
      stepType: 'replaceAround',
      from: this.from,
      to: this.to,
      gapFrom: this.gapFrom,
      gapTo: this.gapTo,
      insert: this.insert,
    }
    return (this.slice.size && (e.slice = this.slice.toJSON()), this.structure && (e.structure = !0), e)
  }
  static fromJSON(e, t) {
    if (
      typeof t.from != 'number' ||
      typeof t.to != 'number' ||
      typeof t.gapFrom != 'number' ||
      typeof t.gapTo != 'number' ||
      typeof t.insert != 'number'
    )
      throw new RangeError('Invalid input for ReplaceAroundStep.fromJSON')
    return new n(t.from, t.to, t.gapFrom, t.gapTo, b.fromJSON(e, t.slice), t.insert, !!t.structure)
  }
}
T.jsonID('replaceAround', P)
function $n(n, e, t) {
  let r = n.resolve(e),
    i = t - e,
    s = r.depth
  for (; i > 0 && s > 0 && r.indexAfter(s) == r.node(s).childCount; ) s--, i--
  if (i > 0) {
    let o = r.node(s).maybeChild(r.indexAfter(s))
    for (; i > 0; ) {
      if (!o || o.isLeaf) return !0
      ;(o = o.firstChild), i--
    }
  }
  return !1
}
function ll(n, e, t, r) {
  const i = []
  n.doc.nodesBetween(e, t, (s, o, l) => {
    if (!s.isInline) return
    const a = s.marks
    if (!r.isInSet(a) && l.type.allowsMarkType(r.type)) {
      const c = Math.max(o, e),
        f = Math.min(o + s.nodeSize, t)
      Xt(St, c, f, r, i)
    }
  }),
    i.forEach((s) => n.step(s))
}
function al(n, e, t, r) {
  let i = [],
    s = 0
  n.doc.nodesBetween(e, t, (o, l) => {
    if (!o.isInline || !o.isAtom) return
    s++
    let a = null
    if (r instanceof mt) {
      let c = o.marks,
        f
      for (; (f = r.isInSet(c)); ) (a || (a = [])).push(f), (c = f.removeFromSet(c))
    } else r ? r.isInSet(o.marks) && (a = [r]) : (a = o.marks)
    if (a && a.length) {
      const c = Math.min(l + o.nodeSize, t)
      for (let f = 0; f < a.length; f++) {
        let h = a[f],
          u
        for (let d = 0; d < i.length; d++) {
          const p = i[d]
          p.step == s - 1 && h.eq(i[d].style) && (u = p)
        }
        u ? ((u.to = c), (u.step = s)) : i.push({ style: h, from: Math.max(l, e), to: c, step: s })
      }
    }
  }),
    i.forEach((o) => n.step(new Xe(o.from, o.to, o.style)))
}
function qn(n, e, t, r = t.contentMatch, i = !0) {
  let s = n.doc.nodeAt(e),
    o = [],
    l = e + 1
  for (let a = 0; a < s.childCount; a++) {
    const c = s.child(a),
      f = l + c.nodeSize,
      h = r.matchType(c.type)
    if (!h) o.push(new K(l, f, b.empty))
    else {
      r = h
      for (let u = 0; u < c.marks.length; u++) t.allowsMarkType(c.marks[u].type) || n.step(new Xe(l, f, c.marks[u]))
      if (i && c.isText && t.whitespace != 'pre') {
        let u,
          d = /\r?\n|\r/g,
          p
        for (; (u = d.exec(c.text)); )
          p || (p = new b(y.from(t.schema.text(' ', t.allowedMarks(c.marks))), 0, 0)),
            o.push(new K(l + u.index, l + u.index + u[0].length, p))
      }
    }
    l = f
  }
  if (!r.validEnd) {
    const a = r.fillBefore(y.empty, !0)
    n.replace(l, l, new b(a, 0, 0))
  }
  for (let a = o.length - 1; a >= 0; a--) n.step(o[a])
}
function cl(n, e, t) {
  return (e == 0 || n.canReplace(e, n.childCount)) && (t == n.childCount || n.canReplace(0, t))
}
function ze(n) {
  const t = n.parent.content.cutByIndex(n.startIndex, n.endIndex)
  for (let r = n.depth, i = 0, s = 0; ; --r) {
    const o = n.$from.node(r),
      l = n.$from.index(r) + i,
      a = n.$to.indexAfter(r) - s
    if (r < n.depth && o.canReplace(l, a, t)) return r
    if (r == 0 || o.type.spec.isolating || !cl(o, l, a)) break
    l && (i = 1), a < o.childCount && (s = 1)
  }
  return null
}
function fl(n, e, t) {
  let { $from: r, $to: i, depth: s } = e,
    o = r.before(s + 1),
    l = i.after(s + 1),
    a = o,
    c = l,
    f = y.empty,
    h = 0
  for (let p = s, m = !1; p > t; p--) m || r.index(p) > 0 ? ((m = !0), (f = y.from(r.node(p).copy(f))), h++) : a--
  let u = y.empty,
    d = 0
  for (let p = s, m = !1; p > t; p--)
    m || i.after(p + 1) < i.end(p) ? ((m = !0), (u = y.from(i.node(p).copy(u))), d++) : c++
  n.step(new P(a, c, o, l, new b(f.append(u), h, d), f.size - h, !0))
}
function et(n, e, t = null, r = n) {
  const i = hl(n, e),
    s = i && ul(r, e)
  return s ? i.map(xi).concat({ type: e, attrs: t }).concat(s.map(xi)) : null
}
function xi(n) {
  return { type: n, attrs: null }
}
function hl(n, e) {
  const { parent: t, startIndex: r, endIndex: i } = n,
    s = t.contentMatchAt(r).findWrapping(e)
  if (!s) return null
  const o = s.length ? s[0] : e
  return t.canReplaceWith(r, i, o) ? s : null
}
function ul(n, e) {
  const { parent: t, startIndex: r, endIndex: i } = n,
    s = t.child(r),
    o = e.contentMatch.findWrapping(s.type)
  if (!o) return null
  let a = (o.length ? o[o.length - 1] : e).contentMatch
  for (let c = r; a && c < i; c++) a = a.matchType(t.child(c).type)
  return !a || !a.validEnd ? null : o
}
function dl(n, e, t) {
  let r = y.empty
  for (let o = t.length - 1; o >= 0; o--) {
    if (r.size) {
      const l = t[o].type.contentMatch.matchFragment(r)
      if (!l || !l.validEnd)
        throw new RangeError('Wrapper type given to Transform.wrap does not form valid content of its parent wrapper')
    }
    r = y.from(t[o].type.create(t[o].attrs, r))
  }
  const i = e.start,
    s = e.end
  n.step(new P(i, s, i, s, new b(r, 0, 0), t.length, !0))
}
function pl(n, e, t, r, i) {
  if (!r.isTextblock) throw new RangeError('Type given to setBlockType should be a textblock')
  const s = n.steps.length
  n.doc.nodesBetween(e, t, (o, l) => {
    const a = typeof i == 'function' ? i(o) : i
    if (o.isTextblock && !o.hasMarkup(r, a) && ml(n.doc, n.mapping.slice(s).map(l), r)) {
      let c = null
      if (r.schema.linebreakReplacement) {
        const d = r.whitespace == 'pre',
          p = !!r.contentMatch.matchType(r.schema.linebreakReplacement)
        d && !p ? (c = !1) : !d && p && (c = !0)
      }
      c === !1 && Ei(n, o, l, s), qn(n, n.mapping.slice(s).map(l, 1), r, void 0, c === null)
      const f = n.mapping.slice(s),
        h = f.map(l, 1),
        u = f.map(l + o.nodeSize, 1)
      return (
        n.step(new P(h, u, h + 1, u - 1, new b(y.from(r.create(a, null, o.marks)), 0, 0), 1, !0)),
        c === !0 && Ti(n, o, l, s),
        !1
      )
    }
  })
}
function Ti(n, e, t, r) {
  e.forEach((i, s) => {
    if (i.isText) {
      let o,
        l = /\r?\n|\r/g
      for (; (o = l.exec(i.text)); ) {
        const a = n.mapping.slice(r).map(t + 1 + s + o.index)
        n.replaceWith(a, a + 1, e.type.schema.linebreakReplacement.create())
      }
    }
  })
}
function Ei(n, e, t, r) {
  e.forEach((i, s) => {
    if (i.type == i.type.schema.linebreakReplacement) {
      const o = n.mapping.slice(r).map(t + 1 + s)
      n.replaceWith(
        o,
        o + 1,
        e.type.schema.text(`
`),
      )
    }
  })
}
function ml(n, e, t) {
  const r = n.resolve(e),
    i = r.index()
  return r.parent.canReplaceWith(i, i + 1, t)
}
function gl(n, e, t, r, i) {
  const s = n.doc.nodeAt(e)
  if (!s) throw new RangeError('No node at given position')
  t || (t = s.type)
  const o = t.create(r, null, i || s.marks)
  if (s.isLeaf) return n.replaceWith(e, e + s.nodeSize, o)
  if (!t.validContent(s.content)) throw new RangeError('Invalid content for node type ' + t.name)
  n.step(new P(e, e + s.nodeSize, e + 1, e + s.nodeSize - 1, new b(y.from(o), 0, 0), 1, !0))
}
function xe(n, e, t = 1, r) {
  const i = n.resolve(e),
    s = i.depth - t,
    o = (r && r[r.length - 1]) || i.parent
  if (
    s < 0 ||
    i.parent.type.spec.isolating ||
    !i.parent.canReplace(i.index(), i.parent.childCount) ||
    !o.type.validContent(i.parent.content.cutByIndex(i.index(), i.parent.childCount))
  )
    return !1
  for (let c = i.depth - 1, f = t - 2; c > s; c--, f--) {
    const h = i.node(c),
      u = i.index(c)
    if (h.type.spec.isolating) return !1
    let d = h.content.cutByIndex(u, h.childCount),
      p = r && r[f + 1]
    p && (d = d.replaceChild(0, p.type.create(p.attrs)))
    const m = (r && r[f]) || h
    if (!h.canReplace(u + 1, h.childCount) || !m.type.validContent(d)) return !1
  }
  const l = i.indexAfter(s),
    a = r && r[0]
  return i.node(s).canReplaceWith(l, l, a ? a.type : i.node(s + 1).type)
}
function yl(n, e, t = 1, r) {
  let i = n.doc.resolve(e),
    s = y.empty,
    o = y.empty
  for (let l = i.depth, a = i.depth - t, c = t - 1; l > a; l--, c--) {
    s = y.from(i.node(l).copy(s))
    const f = r && r[c]
    o = y.from(f ? f.type.create(f.attrs, o) : i.node(l).copy(o))
  }
  n.step(new K(e, e, new b(s.append(o), t, t), !0))
}
function ve(n, e) {
  const t = n.resolve(e),
    r = t.index()
  return kl(t.nodeBefore, t.nodeAfter) && t.parent.canReplace(r, r + 1)
}
function bl(n, e) {
  e.content.size || n.type.compatibleContent(e.type)
  let t = n.contentMatchAt(n.childCount),
    { linebreakReplacement: r } = n.type.schema
  for (let i = 0; i < e.childCount; i++) {
    const s = e.child(i),
      o = s.type == r ? n.type.schema.nodes.text : s.type
    if (((t = t.matchType(o)), !t || !n.type.allowsMarks(s.marks))) return !1
  }
  return t.validEnd
}
function kl(n, e) {
  return !!(n && e && !n.isLeaf && bl(n, e))
}
function xl(n, e, t) {
  let r = null,
    { linebreakReplacement: i } = n.doc.type.schema,
    s = n.doc.resolve(e - t),
    o = s.node().type
  if (i && o.inlineContent) {
    const f = o.whitespace == 'pre',
      h = !!o.contentMatch.matchType(i)
    f && !h ? (r = !1) : !f && h && (r = !0)
  }
  const l = n.steps.length
  if (r === !1) {
    const f = n.doc.resolve(e + t)
    Ei(n, f.node(), f.before(), l)
  }
  o.inlineContent && qn(n, e + t - 1, o, s.node().contentMatchAt(s.index()), r == null)
  const a = n.mapping.slice(l),
    c = a.map(e - t)
  if ((n.step(new K(c, a.map(e + t, -1), b.empty, !0)), r === !0)) {
    const f = n.doc.resolve(c)
    Ti(n, f.node(), f.before(), n.steps.length)
  }
  return n
}
function Sl(n, e, t) {
  const r = n.resolve(e)
  if (r.parent.canReplaceWith(r.index(), r.index(), t)) return e
  if (r.parentOffset == 0)
    for (let i = r.depth - 1; i >= 0; i--) {
      const s = r.index(i)
      if (r.node(i).canReplaceWith(s, s, t)) return r.before(i + 1)
      if (s > 0) return null
    }
  if (r.parentOffset == r.parent.content.size)
    for (let i = r.depth - 1; i >= 0; i--) {
      const s = r.indexAfter(i)
      if (r.node(i).canReplaceWith(s, s, t)) return r.after(i + 1)
      if (s < r.node(i).childCount) return null
    }
  return null
}
function Ai(n, e, t) {
  const r = n.resolve(e)
  if (!t.content.size) return e
  let i = t.content
  for (let s = 0; s < t.openStart; s++) i = i.firstChild.content
  for (let s = 1; s <= (t.openStart == 0 && t.size ? 2 : 1); s++)
    for (let o = r.depth; o >= 0; o--) {
      let l = o == r.depth ? 0 : r.pos <= (r.start(o + 1) + r.end(o + 1)) / 2 ? -1 : 1
      for (let a = 0; a < 2; a++) {
        if (a) {
          if (!l) break
          l = -l
        }
        let c = r.index(o) + (l > 0 ? 1 : 0),
          f = r.node(o),
          h = !1
        if (s == 1) h = f.canReplace(c, c, i)
        else {
          const u = f.contentMatchAt(c).findWrapping(i.firstChild.type)
          h = u && f.canReplaceWith(c, c, u[0])
        }
        if (h) return l == 0 ? r.pos : l < 0 ? r.before(o + 1) : r.after(o + 1)
      }
    }
  return null
}
function tn(n, e, t = e, r = b.empty) {
  if (e == t && !r.size) return null
  const i = n.resolve(e),
    s = n.resolve(t)
  return Ii(i, s, r) ? new K(e, t, r) : new Jn(i, s, r).fit()
}
function Ii(n, e, t) {
  return !t.openStart && !t.openEnd && n.start() == e.start() && n.parent.canReplace(n.index(), e.index(), t.content)
}
var Jn = class {
  constructor(e, t, r) {
    ;(this.$from = e), (this.$to = t), (this.unplaced = r), (this.frontier = []), (this.placed = y.empty)
    for (let i = 0; i <= e.depth; i++) {
      const s = e.node(i)
      this.frontier.push({ type: s.type, match: s.contentMatchAt(e.indexAfter(i)) })
    }
    for (let i = e.depth; i > 0; i--) this.placed = y.from(e.node(i).copy(this.placed))
  }
  get depth() {
    return this.frontier.length - 1
  }
  fit() {
    for (; this.unplaced.size; ) {
      const c = this.findFittable()
      c ? this.placeNodes(c) : this.openMore() || this.dropNode()
    }
    const e = this.mustMoveInline(),
      t = this.placed.size - this.depth - this.$from.depth,
      r = this.$from,
      i = this.close(e < 0 ? this.$to : r.doc.resolve(e))
    if (!i) return null
    let s = this.placed,
      o = r.depth,
      l = i.depth
    for (; o && l && s.childCount == 1; ) (s = s.firstChild.content), o--, l--
    const a = new b(s, o, l)
    return e > -1
      ? new P(r.pos, e, this.$to.pos, this.$to.end(), a, t)
      : a.size || r.pos != this.$to.pos
        ? new K(r.pos, i.pos, a)
        : null
  }
  findFittable() {
    let e = this.unplaced.openStart
    for (let t = this.unplaced.content, r = 0, i = this.unplaced.openEnd; r < e; r++) {
      const s = t.firstChild
      if ((t.childCount > 1 && (i = 0), s.type.spec.isolating && i <= r)) {
        e = r
        break
      }
      t = s.content
    }
    for (let t = 1; t <= 2; t++)
      for (let r = t == 1 ? e : this.unplaced.openStart; r >= 0; r--) {
        let i,
          s = null
        r ? ((s = Si(this.unplaced.content, r - 1).firstChild), (i = s.content)) : (i = this.unplaced.content)
        const o = i.firstChild
        for (let l = this.depth; l >= 0; l--) {
          let { type: a, match: c } = this.frontier[l],
            f,
            h = null
          if (
            t == 1 &&
            (o ? c.matchType(o.type) || (h = c.fillBefore(y.from(o), !1)) : s && a.compatibleContent(s.type))
          )
            return { sliceDepth: r, frontierDepth: l, parent: s, inject: h }
          if (t == 2 && o && (f = c.findWrapping(o.type)))
            return { sliceDepth: r, frontierDepth: l, parent: s, wrap: f }
          if (s && c.matchType(s.type)) break
        }
      }
  }
  openMore() {
    let { content: e, openStart: t, openEnd: r } = this.unplaced
    return Mi(e, -1) <= t
      ? !1
      : (this.unplaced.size > 1 && Mi(e, 1) > r && r++, (this.unplaced = new b(e, t + 1, r)), !0)
  }
  dropNode() {
    const { content: e, openStart: t, openEnd: r } = this.unplaced,
      i = Si(e, t)
    if (i.childCount <= 1 && t > 0) {
      const s = e.size - t <= t + i.size
      this.unplaced = new b(yt(e, t - 1, 1), t - 1, s ? t - 1 : r)
    } else this.unplaced = new b(yt(e, t, 1), t, r)
  }
  placeNodes({ sliceDepth: e, frontierDepth: t, parent: r, inject: i, wrap: s }) {
    for (; this.depth > t; ) this.closeFrontierNode()
    if (s) for (let m = 0; m < s.length; m++) this.openFrontierNode(s[m])
    let o = this.unplaced,
      l = r ? r.content : o.content,
      a = o.openStart - e,
      c = 0,
      f = [],
      { match: h, type: u } = this.frontier[t]
    if (i) {
      for (let m = 0; m < i.childCount; m++) f.push(i.child(m))
      h = h.matchFragment(i)
    }
    let d = l.size + e - (o.content.size - o.openEnd)
    for (; c < l.childCount; ) {
      const m = l.child(c),
        g = h.matchType(m.type)
      if (!g) break
      c++,
        (c > 1 || a == 0 || m.content.size) &&
          ((h = g), f.push(Ri(m.mark(u.allowedMarks(m.marks)), c == 1 ? a : 0, c == l.childCount ? d : -1)))
    }
    const p = c == l.childCount
    p || (d = -1),
      (this.placed = bt(this.placed, t, y.from(f))),
      (this.frontier[t].match = h),
      p &&
        d < 0 &&
        r &&
        r.type == this.frontier[this.depth].type &&
        this.frontier.length > 1 &&
        this.closeFrontierNode()
    for (let m = 0, g = f[f.length - 1]; g && m < d; m++)
      this.frontier.push({ type: g.type, match: g.contentMatchAt(g.childCount) }), (g = g.lastChild)
    this.unplaced = p
      ? e == 0
        ? b.empty
        : new b(yt(o.content, e - 1, 1), e - 1, d < 0 ? o.openEnd : e - 1)
      : new b(yt(o.content, e, c), e, o.openEnd)
  }
  mustMoveInline() {
    if (!this.$to.parent.isTextblock) return -1
    let e = this.frontier[this.depth],
      t
    if (
      !e.type.isTextblock ||
      !Vn(this.$to, this.$to.depth, e.type, e.match, !1) ||
      (this.$to.depth == this.depth && (t = this.findCloseLevel(this.$to)) && t.depth == this.depth)
    )
      return -1
    let { depth: r } = this.$to,
      i = this.$to.after(r)
    for (; r > 1 && i == this.$to.end(--r); ) ++i
    return i
  }
  findCloseLevel(e) {
    e: for (let t = Math.min(this.depth, e.depth); t >= 0; t--) {
      const { match: r, type: i } = this.frontier[t],
        s = t < e.depth && e.end(t + 1) == e.pos + (e.depth - (t + 1)),
        o = Vn(e, t, i, r, s)
      if (o) {
        for (let l = t - 1; l >= 0; l--) {
          const { match: a, type: c } = this.frontier[l],
            f = Vn(e, l, c, a, !0)
          if (!f || f.childCount) continue e
        }
        return { depth: t, fit: o, move: s ? e.doc.resolve(e.after(t + 1)) : e }
      }
    }
  }
  close(e) {
    const t = this.findCloseLevel(e)
    if (!t) return null
    for (; this.depth > t.depth; ) this.closeFrontierNode()
    t.fit.childCount && (this.placed = bt(this.placed, t.depth, t.fit)), (e = t.move)
    for (let r = t.depth + 1; r <= e.depth; r++) {
      const i = e.node(r),
        s = i.type.contentMatch.fillBefore(i.content, !0, e.index(r))
      this.openFrontierNode(i.type, i.attrs, s)
    }
    return e
  }
  openFrontierNode(e, t = null, r) {
    const i = this.frontier[this.depth]
    ;(i.match = i.match.matchType(e)),
      (this.placed = bt(this.placed, this.depth, y.from(e.create(t, r)))),
      this.frontier.push({ type: e, match: e.contentMatch })
  }
  closeFrontierNode() {
    const t = this.frontier.pop().match.fillBefore(y.empty, !0)
    t.childCount && (this.placed = bt(this.placed, this.frontier.length, t))
  }
}
function yt(n, e, t) {
  return e == 0
    ? n.cutByIndex(t, n.childCount)
    : n.replaceChild(0, n.firstChild.copy(yt(n.firstChild.content, e - 1, t)))
}
function bt(n, e, t) {
  return e == 0 ? n.append(t) : n.replaceChild(n.childCount - 1, n.lastChild.copy(bt(n.lastChild.content, e - 1, t)))
}
function Si(n, e) {
  for (let t = 0; t < e; t++) n = n.firstChild.content
  return n
}
function Ri(n, e, t) {
  if (e <= 0) return n
  let r = n.content
  return (
    e > 1 && (r = r.replaceChild(0, Ri(r.firstChild, e - 1, r.childCount == 1 ? t - 1 : 0))),
    e > 0 &&
      ((r = n.type.contentMatch.fillBefore(r).append(r)),
      t <= 0 && (r = r.append(n.type.contentMatch.matchFragment(r).fillBefore(y.empty, !0)))),
    n.copy(r)
  )
}
function Vn(n, e, t, r, i) {
  const s = n.node(e),
    o = i ? n.indexAfter(e) : n.index(e)
  if (o == s.childCount && !t.compatibleContent(s.type)) return null
  const l = r.fillBefore(s.content, !0, o)
  return l && !Ml(t, s.content, o) ? l : null
}
function Ml(n, e, t) {
  for (let r = t; r < e.childCount; r++) if (!n.allowsMarks(e.child(r).marks)) return !0
  return !1
}
function Cl(n) {
  return n.spec.defining || n.spec.definingForContent
}
function Mi(n, e) {
  for (let t = 0; ; t++) {
    const r = e < 0 ? n.firstChild : n.lastChild
    if (!r || r.isAtom) return t
    n = r.content
  }
}
function Ol(n, e, t, r) {
  if (!r.size) return n.deleteRange(e, t)
  const i = n.doc.resolve(e),
    s = n.doc.resolve(t)
  if (Ii(i, s, r)) return n.step(new K(e, t, r))
  const o = Pi(i, s)
  o[o.length - 1] == 0 && o.pop()
  let l = -(i.depth + 1)
  o.unshift(l)
  for (let u = i.depth, d = i.pos - 1; u > 0; u--, d--) {
    const p = i.node(u).type.spec
    if (p.defining || p.definingAsContext || p.isolating) break
    o.indexOf(u) > -1 ? (l = u) : i.before(u) == d && o.splice(1, 0, -u)
  }
  let a = o.indexOf(l),
    c = [],
    f = r.openStart
  for (let u = r.content, d = 0; ; d++) {
    const p = u.firstChild
    if ((c.push(p), d == r.openStart)) break
    u = p.content
  }
  for (let u = f - 1; u >= 0; u--) {
    const d = c[u],
      p = Cl(d.type)
    if (p && !d.sameMarkup(i.node(Math.abs(l) - 1))) f = u
    else if (p || !d.type.isTextblock) break
  }
  for (let u = r.openStart; u >= 0; u--) {
    const d = (u + f + 1) % (r.openStart + 1),
      p = c[d]
    if (p)
      for (let m = 0; m < o.length; m++) {
        let g = o[(m + a) % o.length],
          k = !0
        g < 0 && ((k = !1), (g = -g))
        const N = i.node(g - 1),
          w = i.index(g - 1)
        if (N.canReplaceWith(w, w, p.type, p.marks))
          return n.replace(i.before(g), k ? s.after(g) : t, new b(Bi(r.content, 0, r.openStart, d), d, r.openEnd))
      }
  }
  const h = n.steps.length
  for (let u = o.length - 1; u >= 0 && (n.replace(e, t, r), !(n.steps.length > h)); u--) {
    const d = o[u]
    d < 0 || ((e = i.before(d)), (t = s.after(d)))
  }
}
function Bi(n, e, t, r, i) {
  if (e < t) {
    const s = n.firstChild
    n = n.replaceChild(0, s.copy(Bi(s.content, e + 1, t, r, s)))
  }
  if (e > r) {
    const s = i.contentMatchAt(0),
      o = s.fillBefore(n).append(n)
    n = o.append(s.matchFragment(o).fillBefore(y.empty, !0))
  }
  return n
}
function Nl(n, e, t, r) {
  if (!r.isInline && e == t && n.doc.resolve(e).parent.content.size) {
    const i = Sl(n.doc, e, r.type)
    i != null && (e = t = i)
  }
  n.replaceRange(e, t, new b(y.from(r), 0, 0))
}
function wl(n, e, t) {
  let r = n.doc.resolve(e),
    i = n.doc.resolve(t)
  if (
    r.parent.isTextblock &&
    i.parent.isTextblock &&
    r.start() != i.start() &&
    r.parentOffset == 0 &&
    i.parentOffset == 0
  ) {
    let o = r.sharedDepth(t),
      l = !1
    for (let a = r.depth; a > o; a--) r.node(a).type.spec.isolating && (l = !0)
    for (let a = i.depth; a > o; a--) i.node(a).type.spec.isolating && (l = !0)
    if (!l) {
      for (let a = r.depth; a > 0 && e == r.start(a); a--) e = r.before(a)
      for (let a = i.depth; a > 0 && t == i.start(a); a--) t = i.before(a)
      ;(r = n.doc.resolve(e)), (i = n.doc.resolve(t))
    }
  }
  const s = Pi(r, i)
  for (let o = 0; o < s.length; o++) {
    const l = s[o],
      a = o == s.length - 1
    if ((a && l == 0) || r.node(l).type.contentMatch.validEnd) return n.delete(r.start(l), i.end(l))
    if (l > 0 && (a || r.node(l - 1).canReplace(r.index(l - 1), i.indexAfter(l - 1))))
      return n.delete(r.before(l), i.after(l))
  }
  for (let o = 1; o <= r.depth && o <= i.depth; o++)
    if (
      e - r.start(o) == r.depth - o &&
      t > r.end(o) &&
      i.end(o) - t != i.depth - o &&
      r.start(o - 1) == i.start(o - 1) &&
      r.node(o - 1).canReplace(r.index(o - 1), i.index(o - 1))
    )
      return n.delete(r.before(o), t)
  n.delete(e, t)
}
function Pi(n, e) {
  const t = [],
    r = Math.min(n.depth, e.depth)
  for (let i = r; i >= 0; i--) {
    const s = n.start(i)
    if (
      s < n.pos - (n.depth - i) ||
      e.end(i) > e.pos + (e.depth - i) ||
      n.node(i).type.spec.isolating ||
      e.node(i).type.spec.isolating
    )
      break
    ;(s == e.start(i) ||
      (i == n.depth &&
        i == e.depth &&
        n.parent.inlineContent &&
        e.parent.inlineContent &&
        i &&
        e.start(i - 1) == s - 1)) &&
      t.push(i)
  }
  return t
}
var Qt = class n extends T {
  constructor(e, t, r) {
    super(), (this.pos = e), (this.attr = t), (this.value = r)
  }
  apply(e) {
    const t = e.nodeAt(this.pos)
    if (!t) return B.fail("No node at attribute step's position")
    const r = Object.create(null)
    for (const s in t.attrs) r[s] = t.attrs[s]
    r[this.attr] = this.value
    const i = t.type.create(r, null, t.marks)
    return B.fromReplace(e, this.pos, this.pos + 1, new b(y.from(i), 0, t.isLeaf ? 0 : 1))
  }
  getMap() {
    return fe.empty
  }
  invert(e) {
    return new n(this.pos, this.attr, e.nodeAt(this.pos).attrs[this.attr])
  }
  map(e) {
    const t = e.mapResult(this.pos, 1)
    return t.deletedAfter ? null : new n(t.pos, this.attr, this.value)
  }
  toJSON() {
    return { stepType: 'attr', pos: this.pos, attr: this.attr, value: this.value }
  }
  static fromJSON(e, t) {
    if (typeof t.pos != 'number' || typeof t.attr != 'string')
      throw new RangeError('Invalid input for AttrStep.fromJSON')
    return new n(t.pos, t.attr, t.value)
  }
}
T.jsonID('attr', Qt)
var Zt = class n extends T {
  constructor(e, t) {
    super(), (this.attr = e), (this.value = t)
  }
  apply(e) {
    const t = Object.create(null)
    for (const i in e.attrs) t[i] = e.attrs[i]
    t[this.attr] = this.value
    const r = e.type.create(t, e.content, e.marks)
    return B.ok(r)
  }
  getMap() {
    return fe.empty
  }
  invert(e) {
    return new n(this.attr, e.attrs[this.attr])
  }
  map(e) {
    return this
  }
  toJSON() {
    return { stepType: 'docAttr', attr: this.attr, value: this.value }
  }
  static fromJSON(e, t) {
    if (typeof t.attr != 'string') throw new RangeError('Invalid input for DocAttrStep.fromJSON')
    return new n(t.attr, t.value)
  }
}
T.jsonID('docAttr', Zt)
var Ze = class extends Error {}
Ze = function n(e) {
  const t = Error.call(this, e)
  return ((t.__proto__ = n.prototype), t)
}
Ze.prototype = Object.create(Error.prototype)
Ze.prototype.constructor = Ze
Ze.prototype.name = 'TransformError'
var en = class {
  constructor(e) {
    ;(this.doc = e), (this.steps = []), (this.docs = []), (this.mapping = new xt())
  }
  get before() {
    return this.docs.length ? this.docs[0] : this.doc
  }
  step(e) {
    const t = this.maybeStep(e)
    if (t.failed) throw new Ze(t.failed)
    return this
  }
  maybeStep(e) {
    const t = e.apply(this.doc)
    return (t.failed || this.addStep(e, t.doc), t)
  }
  get docChanged() {
    return this.steps.length > 0
  }
  changedRange() {
    let e = 1e9,
      t = -1e9
    for (let r = 0; r < this.mapping.maps.length; r++) {
      const i = this.mapping.maps[r]
      r && ((e = i.map(e, 1)), (t = i.map(t, -1))),
        i.forEach((s, o, l, a) => {
          ;(e = Math.min(e, l)), (t = Math.max(t, a))
        })
    }
    return e == 1e9 ? null : { from: e, to: t }
  }
  addStep(e, t) {
    this.docs.push(this.doc), this.steps.push(e), this.mapping.appendMap(e.getMap()), (this.doc = t)
  }
  replace(e, t = e, r = b.empty) {
    const i = tn(this.doc, e, t, r)
    return (i && this.step(i), this)
  }
  replaceWith(e, t, r) {
    return this.replace(e, t, new b(y.from(r), 0, 0))
  }
  delete(e, t) {
    return this.replace(e, t, b.empty)
  }
  insert(e, t) {
    return this.replaceWith(e, e, t)
  }
  replaceRange(e, t, r) {
    return (Ol(this, e, t, r), this)
  }
  replaceRangeWith(e, t, r) {
    return (Nl(this, e, t, r), this)
  }
  deleteRange(e, t) {
    return (wl(this, e, t), this)
  }
  lift(e, t) {
    return (fl(this, e, t), this)
  }
  join(e, t = 1) {
    return (xl(this, e, t), this)
  }
  wrap(e, t) {
    return (dl(this, e, t), this)
  }
  setBlockType(e, t = e, r, i = null) {
    return (pl(this, e, t, r, i), this)
  }
  setNodeMarkup(e, t, r = null, i) {
    return (gl(this, e, t, r, i), this)
  }
  setNodeAttribute(e, t, r) {
    return (this.step(new Qt(e, t, r)), this)
  }
  setDocAttribute(e, t) {
    return (this.step(new Zt(e, t)), this)
  }
  addNodeMark(e, t) {
    return (this.step(new Ct(e, t)), this)
  }
  removeNodeMark(e, t) {
    const r = this.doc.nodeAt(e)
    if (!r) throw new RangeError('No node at position ' + e)
    if (t instanceof C) t.isInSet(r.marks) && this.step(new Qe(e, t))
    else {
      let i = r.marks,
        s,
        o = []
      for (; (s = t.isInSet(i)); ) o.push(new Qe(e, s)), (i = s.removeFromSet(i))
      for (let l = o.length - 1; l >= 0; l--) this.step(o[l])
    }
    return this
  }
  split(e, t = 1, r) {
    return (yl(this, e, t, r), this)
  }
  addMark(e, t, r) {
    return (ll(this, e, t, r), this)
  }
  removeMark(e, t, r) {
    return (al(this, e, t, r), this)
  }
  clearIncompatible(e, t, r) {
    return (qn(this, e, t, r), this)
  }
}
var Hn = Object.create(null),
  M = class {
    constructor(e, t, r) {
      ;(this.$anchor = e), (this.$head = t), (this.ranges = r || [new nt(e.min(t), e.max(t))])
    }
    get anchor() {
      return this.$anchor.pos
    }
    get head() {
      return this.$head.pos
    }
    get from() {
      return this.$from.pos
    }
    get to() {
      return this.$to.pos
    }
    get $from() {
      return this.ranges[0].$from
    }
    get $to() {
      return this.ranges[0].$to
    }
    get empty() {
      const e = this.ranges
      for (let t = 0; t < e.length; t++) if (e[t].$from.pos != e[t].$to.pos) return !1
      return !0
    }
    content() {
      return this.$from.doc.slice(this.from, this.to, !0)
    }
    replace(e, t = b.empty) {
      let r = t.content.lastChild,
        i = null
      for (let l = 0; l < t.openEnd; l++) (i = r), (r = r.lastChild)
      const s = e.steps.length,
        o = this.ranges
      for (let l = 0; l < o.length; l++) {
        const { $from: a, $to: c } = o[l],
          f = e.mapping.slice(s)
        e.replaceRange(f.map(a.pos), f.map(c.pos), l ? b.empty : t),
          l == 0 && Fi(e, s, (r ? r.isInline : i && i.isTextblock) ? -1 : 1)
      }
    }
    replaceWith(e, t) {
      const r = e.steps.length,
        i = this.ranges
      for (let s = 0; s < i.length; s++) {
        const { $from: o, $to: l } = i[s],
          a = e.mapping.slice(r),
          c = a.map(o.pos),
          f = a.map(l.pos)
        s ? e.deleteRange(c, f) : (e.replaceRangeWith(c, f, t), Fi(e, r, t.isInline ? -1 : 1))
      }
    }
    static findFrom(e, t, r = !1) {
      const i = e.parent.inlineContent ? new O(e) : tt(e.node(0), e.parent, e.pos, e.index(), t, r)
      if (i) return i
      for (let s = e.depth - 1; s >= 0; s--) {
        const o =
          t < 0
            ? tt(e.node(0), e.node(s), e.before(s + 1), e.index(s), t, r)
            : tt(e.node(0), e.node(s), e.after(s + 1), e.index(s) + 1, t, r)
        if (o) return o
      }
      return null
    }
    static near(e, t = 1) {
      return this.findFrom(e, t) || this.findFrom(e, -t) || new j(e.node(0))
    }
    static atStart(e) {
      return tt(e, e, 0, 0, 1) || new j(e)
    }
    static atEnd(e) {
      return tt(e, e, e.content.size, e.childCount, -1) || new j(e)
    }
    static fromJSON(e, t) {
      if (!t || !t.type) throw new RangeError('Invalid input for Selection.fromJSON')
      const r = Hn[t.type]
      if (!r) throw new RangeError(`No selection type ${t.type} defined`)
      return r.fromJSON(e, t)
    }
    static jsonID(e, t) {
      if (e in Hn) throw new RangeError('Duplicate use of selection JSON ID ' + e)
      return ((Hn[e] = t), (t.prototype.jsonID = e), t)
    }
    getBookmark() {
      return O.between(this.$anchor, this.$head).getBookmark()
    }
  }
M.prototype.visible = !0
var nt = class {
    constructor(e, t) {
      ;(this.$from = e), (this.$to = t)
    }
  },
  zi = !1
function vi(n) {
  !zi &&
    !n.parent.inlineContent &&
    ((zi = !0),
    console.warn('TextSelection endpoint not pointing into a node with inline content (' + n.parent.type.name + ')'))
}
var O = class n extends M {
  constructor(e, t = e) {
    vi(e), vi(t), super(e, t)
  }
  get $cursor() {
    return this.$anchor.pos == this.$head.pos ? this.$head : null
  }
  map(e, t) {
    const r = e.resolve(t.map(this.head))
    if (!r.parent.inlineContent) return M.near(r)
    const i = e.resolve(t.map(this.anchor))
    return new n(i.parent.inlineContent ? i : r, r)
  }
  replace(e, t = b.empty) {
    if ((super.replace(e, t), t == b.empty)) {
      const r = this.$from.marksAcross(this.$to)
      r && e.ensureMarks(r)
    }
  }
  eq(e) {
    return e instanceof n && e.anchor == this.anchor && e.head == this.head
  }
  getBookmark() {
    return new rn(this.anchor, this.head)
  }
  toJSON() {
    return { type: 'text', anchor: this.anchor, head: this.head }
  }
  static fromJSON(e, t) {
    if (typeof t.anchor != 'number' || typeof t.head != 'number')
      throw new RangeError('Invalid input for TextSelection.fromJSON')
    return new n(e.resolve(t.anchor), e.resolve(t.head))
  }
  static create(e, t, r = t) {
    const i = e.resolve(t)
    return new this(i, r == t ? i : e.resolve(r))
  }
  static between(e, t, r) {
    const i = e.pos - t.pos
    if (((!r || i) && (r = i >= 0 ? 1 : -1), !t.parent.inlineContent)) {
      const s = M.findFrom(t, r, !0) || M.findFrom(t, -r, !0)
      if (s) t = s.$head
      else return M.near(t, r)
    }
    return (
      e.parent.inlineContent ||
        (i == 0
          ? (e = t)
          : ((e = (M.findFrom(e, -r, !0) || M.findFrom(e, r, !0)).$anchor), e.pos < t.pos != i < 0 && (e = t))),
      new n(e, t)
    )
  }
}
M.jsonID('text', O)
var rn = class n {
    constructor(e, t) {
      ;(this.anchor = e), (this.head = t)
    }
    map(e) {
      return new n(e.map(this.anchor), e.map(this.head))
    }
    resolve(e) {
      return O.between(e.resolve(this.anchor), e.resolve(this.head))
    }
  },
  S = class n extends M {
    constructor(e) {
      const t = e.nodeAfter,
        r = e.node(0).resolve(e.pos + t.nodeSize)
      super(e, r), (this.node = t)
    }
    map(e, t) {
      const { deleted: r, pos: i } = t.mapResult(this.anchor),
        s = e.resolve(i)
      return r ? M.near(s) : new n(s)
    }
    content() {
      return new b(y.from(this.node), 0, 0)
    }
    eq(e) {
      return e instanceof n && e.anchor == this.anchor
    }
    toJSON() {
      return { type: 'node', anchor: this.anchor }
    }
    getBookmark() {
      return new Un(this.anchor)
    }
    static fromJSON(e, t) {
      if (typeof t.anchor != 'number') throw new RangeError('Invalid input for NodeSelection.fromJSON')
      return new n(e.resolve(t.anchor))
    }
    static create(e, t) {
      return new n(e.resolve(t))
    }
    static isSelectable(e) {
      return !e.isText && e.type.spec.selectable !== !1
    }
  }
S.prototype.visible = !1
M.jsonID('node', S)
var Un = class n {
    constructor(e) {
      this.anchor = e
    }
    map(e) {
      const { deleted: t, pos: r } = e.mapResult(this.anchor)
      return t ? new rn(r, r) : new n(r)
    }
    resolve(e) {
      const t = e.resolve(this.anchor),
        r = t.nodeAfter
      return r && S.isSelectable(r) ? new S(t) : M.near(t)
    }
  },
  j = class n extends M {
    constructor(e) {
      super(e.resolve(0), e.resolve(e.content.size))
    }
    replace(e, t = b.empty) {
      if (t == b.empty) {
        e.delete(0, e.doc.content.size)
        const r = M.atStart(e.doc)
        r.eq(e.selection) || e.setSelection(r)
      } else super.replace(e, t)
    }
    toJSON() {
      return { type: 'all' }
    }
    static fromJSON(e) {
      return new n(e)
    }
    map(e) {
      return new n(e)
    }
    eq(e) {
      return e instanceof n
    }
    getBookmark() {
      return Dl
    }
  }
M.jsonID('all', j)
var Dl = {
  map() {
    return this
  },
  resolve(n) {
    return new j(n)
  },
}
function tt(n, e, t, r, i, s = !1) {
  if (e.inlineContent) return O.create(n, t)
  for (let o = r - (i > 0 ? 0 : 1); i > 0 ? o < e.childCount : o >= 0; o += i) {
    const l = e.child(o)
    if (l.isAtom) {
      if (!s && S.isSelectable(l)) return S.create(n, t - (i < 0 ? l.nodeSize : 0))
    } else {
      const a = tt(n, l, t + i, i < 0 ? l.childCount : 0, i, s)
      if (a) return a
    }
    t += l.nodeSize * i
  }
  return null
}
function Fi(n, e, t) {
  const r = n.steps.length - 1
  if (r < e) return
  const i = n.steps[r]
  if (!(i instanceof K || i instanceof P)) return
  let s = n.mapping.maps[r],
    o
  s.forEach((l, a, c, f) => {
    o == null && (o = f)
  }),
    n.setSelection(M.near(n.doc.resolve(o), t))
}
var Li = 1,
  nn = 2,
  Vi = 4,
  jn = class extends en {
    constructor(e) {
      super(e.doc),
        (this.curSelectionFor = 0),
        (this.updated = 0),
        (this.meta = Object.create(null)),
        (this.time = Date.now()),
        (this.curSelection = e.selection),
        (this.storedMarks = e.storedMarks)
    }
    get selection() {
      return (
        this.curSelectionFor < this.steps.length &&
          ((this.curSelection = this.curSelection.map(this.doc, this.mapping.slice(this.curSelectionFor))),
          (this.curSelectionFor = this.steps.length)),
        this.curSelection
      )
    }
    setSelection(e) {
      if (e.$from.doc != this.doc)
        throw new RangeError('Selection passed to setSelection must point at the current document')
      return (
        (this.curSelection = e),
        (this.curSelectionFor = this.steps.length),
        (this.updated = (this.updated | Li) & ~nn),
        (this.storedMarks = null),
        this
      )
    }
    get selectionSet() {
      return (this.updated & Li) > 0
    }
    setStoredMarks(e) {
      return ((this.storedMarks = e), (this.updated |= nn), this)
    }
    ensureMarks(e) {
      return (C.sameSet(this.storedMarks || this.selection.$from.marks(), e) || this.setStoredMarks(e), this)
    }
    addStoredMark(e) {
      return this.ensureMarks(e.addToSet(this.storedMarks || this.selection.$head.marks()))
    }
    removeStoredMark(e) {
      return this.ensureMarks(e.removeFromSet(this.storedMarks || this.selection.$head.marks()))
    }
    get storedMarksSet() {
      return (this.updated & nn) > 0
    }
    addStep(e, t) {
      super.addStep(e, t), (this.updated = this.updated & ~nn), (this.storedMarks = null)
    }
    setTime(e) {
      return ((this.time = e), this)
    }
    replaceSelection(e) {
      return (this.selection.replace(this, e), this)
    }
    replaceSelectionWith(e, t = !0) {
      const r = this.selection
      return (
        t && (e = e.mark(this.storedMarks || (r.empty ? r.$from.marks() : r.$from.marksAcross(r.$to) || C.none))),
        r.replaceWith(this, e),
        this
      )
    }
    deleteSelection() {
      return (this.selection.replace(this), this)
    }
    insertText(e, t, r) {
      const i = this.doc.type.schema
      if (t == null) return e ? this.replaceSelectionWith(i.text(e), !0) : this.deleteSelection()
      {
        if ((r == null && (r = t), !e)) return this.deleteRange(t, r)
        let s = this.storedMarks
        if (!s) {
          const o = this.doc.resolve(t)
          s = r == t ? o.marks() : o.marksAcross(this.doc.resolve(r))
        }
        return (
          this.replaceRangeWith(t, r, i.text(e, s)),
          !this.selection.empty && this.selection.to == t + e.length && this.setSelection(M.near(this.selection.$to)),
          this
        )
      }
    }
    setMeta(e, t) {
      return ((this.meta[typeof e == 'string' ? e : e.key] = t), this)
    }
    getMeta(e) {
      return this.meta[typeof e == 'string' ? e : e.key]
    }
    get isGeneric() {
      for (const e in this.meta) return !1
      return !0
    }
    scrollIntoView() {
      return ((this.updated |= Vi), this)
    }
    get scrolledIntoView() {
      return (this.updated & Vi) > 0
    }
  }
function $i(n, e) {
  return !e || !n ? n : n.bind(e)
}
var Fe = class {
    constructor(e, t, r) {
      ;(this.name = e), (this.init = $i(t.init, r)), (this.apply = $i(t.apply, r))
    }
  },
  Tl = [
    new Fe('doc', {
      init(n) {
        return n.doc || n.schema.topNodeType.createAndFill()
      },
      apply(n) {
        return n.doc
      },
    }),
    new Fe('selection', {
      init(n, e) {
        return n.selection || M.atStart(e.doc)
      },
      apply(n) {
        return n.selection
      },
    }),
    new Fe('storedMarks', {
      init(n) {
        return n.storedMarks || null
      },
      apply(n, e, t, r) {
        return r.selection.$cursor ? n.storedMarks : null
      },
    }),
    new Fe('scrollToSelection', {
      init() {
        return 0
      },
      apply(n, e) {
        return n.scrolledIntoView ? e + 1 : e
      },
    }),
  ],
  Ot = class {
    constructor(e, t) {
      ;(this.schema = e),
        (this.plugins = []),
        (this.pluginsByKey = Object.create(null)),
        (this.fields = Tl.slice()),
        t &&
          t.forEach((r) => {
            if (this.pluginsByKey[r.key])
              throw new RangeError('Adding different instances of a keyed plugin (' + r.key + ')')
            this.plugins.push(r),
              (this.pluginsByKey[r.key] = r),
              r.spec.state && this.fields.push(new Fe(r.key, r.spec.state, r))
          })
    }
  },
  sn = class n {
    constructor(e) {
      this.config = e
    }
    get schema() {
      return this.config.schema
    }
    get plugins() {
      return this.config.plugins
    }
    apply(e) {
      return this.applyTransaction(e).state
    }
    filterTransaction(e, t = -1) {
      for (let r = 0; r < this.config.plugins.length; r++)
        if (r != t) {
          const i = this.config.plugins[r]
          if (i.spec.filterTransaction && !i.spec.filterTransaction.call(i, e, this)) return !1
        }
      return !0
    }
    applyTransaction(e) {
      if (!this.filterTransaction(e)) return { state: this, transactions: [] }
      let t = [e],
        r = this.applyInner(e),
        i = null
      for (;;) {
        let s = !1
        for (let o = 0; o < this.config.plugins.length; o++) {
          const l = this.config.plugins[o]
          if (l.spec.appendTransaction) {
            const a = i ? i[o].n : 0,
              c = i ? i[o].state : this,
              f = a < t.length && l.spec.appendTransaction.call(l, a ? t.slice(a) : t, c, r)
            if (f && r.filterTransaction(f, o)) {
              if ((f.setMeta('appendedTransaction', e), !i)) {
                i = []
                for (let h = 0; h < this.config.plugins.length; h++)
                  i.push(h < o ? { state: r, n: t.length } : { state: this, n: 0 })
              }
              t.push(f), (r = r.applyInner(f)), (s = !0)
            }
            i && (i[o] = { state: r, n: t.length })
          }
        }
        if (!s) return { state: r, transactions: t }
      }
    }
    applyInner(e) {
      if (!e.before.eq(this.doc)) throw new RangeError('Applying a mismatched transaction')
      const t = new n(this.config),
        r = this.config.fields
      for (let i = 0; i < r.length; i++) {
        const s = r[i]
        t[s.name] = s.apply(e, this[s.name], this, t)
      }
      return t
    }
    get tr() {
      return new jn(this)
    }
    static create(e) {
      const t = new Ot(e.doc ? e.doc.type.schema : e.schema, e.plugins),
        r = new n(t)
      for (let i = 0; i < t.fields.length; i++) r[t.fields[i].name] = t.fields[i].init(e, r)
      return r
    }
    reconfigure(e) {
      const t = new Ot(this.schema, e.plugins),
        r = t.fields,
        i = new n(t)
      for (let s = 0; s < r.length; s++) {
        const o = r[s].name
        i[o] = Object.hasOwn(this, o) ? this[o] : r[s].init(e, i)
      }
      return i
    }
    toJSON(e) {
      const t = { doc: this.doc.toJSON(), selection: this.selection.toJSON() }
      if ((this.storedMarks && (t.storedMarks = this.storedMarks.map((r) => r.toJSON())), e && typeof e == 'object'))
        for (const r in e) {
          if (r == 'doc' || r == 'selection') throw new RangeError('The JSON fields `doc` and `selection` are reserved')
          const i = e[r],
            s = i.spec.state
          s && s.toJSON && (t[r] = s.toJSON.call(i, this[i.key]))
        }
      return t
    }
    static fromJSON(e, t, r) {
      if (!t) throw new RangeError('Invalid input for EditorState.fromJSON')
      if (!e.schema) throw new RangeError("Required config field 'schema' missing")
      const i = new Ot(e.schema, e.plugins),
        s = new n(i)
      return (
        i.fields.forEach((o) => {
          if (o.name == 'doc') s.doc = Y.fromJSON(e.schema, t.doc)
          else if (o.name == 'selection') s.selection = M.fromJSON(s.doc, t.selection)
          else if (o.name == 'storedMarks') t.storedMarks && (s.storedMarks = t.storedMarks.map(e.schema.markFromJSON))
          else {
            if (r)
              for (const l in r) {
                const a = r[l],
                  c = a.spec.state
                if (a.key == o.name && c && c.fromJSON && Object.hasOwn(t, l)) {
                  s[o.name] = c.fromJSON.call(a, e, t[l], s)
                  return
                }
              }
            s[o.name] = o.init(e, s)
          }
        }),
        s
      )
    }
  }
function Ji(n, e, t) {
  for (const r in n) {
    let i = n[r]
    i instanceof Function ? (i = i.bind(e)) : r == 'handleDOMEvents' && (i = Ji(i, e, {})), (t[r] = i)
  }
  return t
}
var Se = class {
    constructor(e) {
      ;(this.spec = e),
        (this.props = {}),
        e.props && Ji(e.props, this, this.props),
        (this.key = e.key ? e.key.key : Wi('plugin'))
    }
    getState(e) {
      return e[this.key]
    }
  },
  Kn = Object.create(null)
function Wi(n) {
  return n in Kn ? n + '$' + ++Kn[n] : ((Kn[n] = 0), n + '$')
}
var Nt = class {
  constructor(e = 'key') {
    this.key = Wi(e)
  }
  get(e) {
    return e.config.pluginsByKey[this.key]
  }
  getState(e) {
    return e[this.key]
  }
}
var Hi = (n, e) => (n.selection.empty ? !1 : (e && e(n.tr.deleteSelection().scrollIntoView()), !0))
function El(n, e) {
  const { $cursor: t } = n.selection
  return !t || (e ? !e.endOfTextblock('backward', n) : t.parentOffset > 0) ? null : t
}
var Al = (n, e, t) => {
  const r = El(n, t)
  if (!r) return !1
  const i = Ki(r)
  if (!i) {
    const o = r.blockRange(),
      l = o && ze(o)
    return l == null ? !1 : (e && e(n.tr.lift(o, l).scrollIntoView()), !0)
  }
  const s = i.nodeBefore
  if (_i(n, i, e, -1)) return !0
  if (r.parent.content.size == 0 && (rt(s, 'end') || S.isSelectable(s)))
    for (let o = r.depth; ; o--) {
      const l = tn(n.doc, r.before(o), r.after(o), b.empty)
      if (l && l.slice.size < l.to - l.from) {
        if (e) {
          const a = n.tr.step(l)
          a.setSelection(
            rt(s, 'end')
              ? M.findFrom(a.doc.resolve(a.mapping.map(i.pos, -1)), -1)
              : S.create(a.doc, i.pos - s.nodeSize),
          ),
            e(a.scrollIntoView())
        }
        return !0
      }
      if (o == 1 || r.node(o - 1).childCount > 1) break
    }
  return s.isAtom && i.depth == r.depth - 1 ? (e && e(n.tr.delete(i.pos - s.nodeSize, i.pos).scrollIntoView()), !0) : !1
}
function rt(n, e, t = !1) {
  for (let r = n; r; r = e == 'start' ? r.firstChild : r.lastChild) {
    if (r.isTextblock) return !0
    if (t && r.childCount != 1) return !1
  }
  return !1
}
var Il = (n, e, t) => {
  let { $head: r, empty: i } = n.selection,
    s = r
  if (!i) return !1
  if (r.parent.isTextblock) {
    if (t ? !t.endOfTextblock('backward', n) : r.parentOffset > 0) return !1
    s = Ki(r)
  }
  const o = s && s.nodeBefore
  return !o || !S.isSelectable(o)
    ? !1
    : (e && e(n.tr.setSelection(S.create(n.doc, s.pos - o.nodeSize)).scrollIntoView()), !0)
}
function Ki(n) {
  if (!n.parent.type.spec.isolating)
    for (let e = n.depth - 1; e >= 0; e--) {
      if (n.index(e) > 0) return n.doc.resolve(n.before(e + 1))
      if (n.node(e).type.spec.isolating) break
    }
  return null
}
function Rl(n, e) {
  const { $cursor: t } = n.selection
  return !t || (e ? !e.endOfTextblock('forward', n) : t.parentOffset < t.parent.content.size) ? null : t
}
var Bl = (n, e, t) => {
    const r = Rl(n, t)
    if (!r) return !1
    const i = Ui(r)
    if (!i) return !1
    const s = i.nodeAfter
    if (_i(n, i, e, 1)) return !0
    if (r.parent.content.size == 0 && (rt(s, 'start') || S.isSelectable(s))) {
      const o = tn(n.doc, r.before(), r.after(), b.empty)
      if (o && o.slice.size < o.to - o.from) {
        if (e) {
          const l = n.tr.step(o)
          l.setSelection(
            rt(s, 'start') ? M.findFrom(l.doc.resolve(l.mapping.map(i.pos)), 1) : S.create(l.doc, l.mapping.map(i.pos)),
          ),
            e(l.scrollIntoView())
        }
        return !0
      }
    }
    return s.isAtom && i.depth == r.depth - 1
      ? (e && e(n.tr.delete(i.pos, i.pos + s.nodeSize).scrollIntoView()), !0)
      : !1
  },
  Pl = (n, e, t) => {
    let { $head: r, empty: i } = n.selection,
      s = r
    if (!i) return !1
    if (r.parent.isTextblock) {
      if (t ? !t.endOfTextblock('forward', n) : r.parentOffset < r.parent.content.size) return !1
      s = Ui(r)
    }
    const o = s && s.nodeAfter
    return !o || !S.isSelectable(o) ? !1 : (e && e(n.tr.setSelection(S.create(n.doc, s.pos)).scrollIntoView()), !0)
  }
function Ui(n) {
  if (!n.parent.type.spec.isolating)
    for (let e = n.depth - 1; e >= 0; e--) {
      const t = n.node(e)
      if (n.index(e) + 1 < t.childCount) return n.doc.resolve(n.after(e + 1))
      if (t.type.spec.isolating) break
    }
  return null
}
var ji = (n, e) => {
    const { $from: t, $to: r } = n.selection,
      i = t.blockRange(r),
      s = i && ze(i)
    return s == null ? !1 : (e && e(n.tr.lift(i, s).scrollIntoView()), !0)
  },
  zl = (n, e) => {
    const { $head: t, $anchor: r } = n.selection
    return !t.parent.type.spec.code || !t.sameParent(r)
      ? !1
      : (e &&
          e(
            n.tr
              .insertText(`
`)
              .scrollIntoView(),
          ),
        !0)
  }
function Gn(n) {
  for (let e = 0; e < n.edgeCount; e++) {
    const { type: t } = n.edge(e)
    if (t.isTextblock && !t.hasRequiredAttrs()) return t
  }
  return null
}
var vl = (n, e) => {
    const { $head: t, $anchor: r } = n.selection
    if (!t.parent.type.spec.code || !t.sameParent(r)) return !1
    const i = t.node(-1),
      s = t.indexAfter(-1),
      o = Gn(i.contentMatchAt(s))
    if (!o || !i.canReplaceWith(s, s, o)) return !1
    if (e) {
      const l = t.after(),
        a = n.tr.replaceWith(l, l, o.createAndFill())
      a.setSelection(M.near(a.doc.resolve(l), 1)), e(a.scrollIntoView())
    }
    return !0
  },
  Fl = (n, e) => {
    const t = n.selection,
      { $from: r, $to: i } = t
    if (t instanceof j || r.parent.inlineContent || i.parent.inlineContent) return !1
    const s = Gn(i.parent.contentMatchAt(i.indexAfter()))
    if (!s || !s.isTextblock) return !1
    if (e) {
      const o = (!r.parentOffset && i.index() < i.parent.childCount ? r : i).pos,
        l = n.tr.insert(o, s.createAndFill())
      l.setSelection(O.create(l.doc, o + 1)), e(l.scrollIntoView())
    }
    return !0
  },
  Ll = (n, e) => {
    const { $cursor: t } = n.selection
    if (!t || t.parent.content.size) return !1
    if (t.depth > 1 && t.after() != t.end(-1)) {
      const s = t.before()
      if (xe(n.doc, s)) return (e && e(n.tr.split(s).scrollIntoView()), !0)
    }
    const r = t.blockRange(),
      i = r && ze(r)
    return i == null ? !1 : (e && e(n.tr.lift(r, i).scrollIntoView()), !0)
  }
function Vl(n) {
  return (e, t) => {
    if (e.selection instanceof S && e.selection.node.isBlock) {
      const { $from: d } = e.selection
      return !d.parentOffset || !xe(e.doc, d.pos) ? !1 : (t && t(e.tr.split(d.pos).scrollIntoView()), !0)
    }
    if (!e.selection.$from.depth) return !1
    const r = e.tr
    !e.selection.empty && (e.selection instanceof O || e.selection instanceof j) && r.deleteSelection()
    let { $from: i } = r.selection,
      s = r.steps.length,
      o = [],
      l,
      a,
      c = !1,
      f = !1
    for (let d = i.depth; ; d--)
      if (i.node(d).isBlock) {
        ;(c = i.end(d) == i.pos + (i.depth - d)),
          (f = i.start(d) == i.pos - (i.depth - d)),
          (a = Gn(i.node(d - 1).contentMatchAt(i.indexAfter(d - 1))))
        const m = n && n(i.parent, c, i)
        o.unshift(m || (c && a ? { type: a } : null)), (l = d)
        break
      } else {
        if (d == 1) return !1
        o.unshift(null)
      }
    let h = i.pos,
      u = xe(r.doc, h, o.length, o)
    if ((u || ((o[0] = a ? { type: a } : null), (u = xe(r.doc, h, o.length, o))), !u)) return !1
    if ((r.split(h, o.length, o), !c && f && i.node(l).type != a)) {
      const d = r.mapping.slice(s),
        p = d.map(i.before(l)),
        m = r.doc.resolve(p)
      a && i.node(l - 1).canReplaceWith(m.index(), m.index() + 1, a) && r.setNodeMarkup(d.map(i.before(l)), a)
    }
    return (t && t(r.scrollIntoView()), !0)
  }
}
var $l = Vl()
var Jl = (n, e) => (e && e(n.tr.setSelection(new j(n.doc))), !0)
function Wl(n, e, t) {
  const r = e.nodeBefore,
    i = e.nodeAfter,
    s = e.index()
  return !r || !i || !r.type.compatibleContent(i.type)
    ? !1
    : !r.content.size && e.parent.canReplace(s - 1, s)
      ? (t && t(n.tr.delete(e.pos - r.nodeSize, e.pos).scrollIntoView()), !0)
      : !e.parent.canReplace(s, s + 1) || !(i.isTextblock || ve(n.doc, e.pos))
        ? !1
        : (t && t(n.tr.join(e.pos).scrollIntoView()), !0)
}
function _i(n, e, t, r) {
  let i = e.nodeBefore,
    s = e.nodeAfter,
    o,
    l,
    a = i.type.spec.isolating || s.type.spec.isolating
  if (!a && Wl(n, e, t)) return !0
  const c = !a && e.parent.canReplace(e.index(), e.index() + 1)
  if (c && (o = (l = i.contentMatchAt(i.childCount)).findWrapping(s.type)) && l.matchType(o[0] || s.type).validEnd) {
    if (t) {
      let d = e.pos + s.nodeSize,
        p = y.empty
      for (let k = o.length - 1; k >= 0; k--) p = y.from(o[k].create(null, p))
      p = y.from(i.copy(p))
      const m = n.tr.step(new P(e.pos - 1, d, e.pos, d, new b(p, 1, 0), o.length, !0)),
        g = m.doc.resolve(d + 2 * o.length)
      g.nodeAfter && g.nodeAfter.type == i.type && ve(m.doc, g.pos) && m.join(g.pos), t(m.scrollIntoView())
    }
    return !0
  }
  const f = s.type.spec.isolating || (r > 0 && a) ? null : M.findFrom(e, 1),
    h = f && f.$from.blockRange(f.$to),
    u = h && ze(h)
  if (u != null && u >= e.depth) return (t && t(n.tr.lift(h, u).scrollIntoView()), !0)
  if (c && rt(s, 'start', !0) && rt(i, 'end')) {
    let d = i,
      p = []
    for (; p.push(d), !d.isTextblock; ) d = d.lastChild
    let m = s,
      g = 1
    for (; !m.isTextblock; m = m.firstChild) g++
    if (d.canReplace(d.childCount, d.childCount, m.content)) {
      if (t) {
        let k = y.empty
        for (let w = p.length - 1; w >= 0; w--) k = y.from(p[w].copy(k))
        const N = n.tr.step(
          new P(e.pos - p.length, e.pos + s.nodeSize, e.pos + g, e.pos + s.nodeSize - g, new b(k, p.length, 0), 0, !0),
        )
        t(N.scrollIntoView())
      }
      return !0
    }
  }
  return !1
}
function Gi(n) {
  return (e, t) => {
    let r = e.selection,
      i = n < 0 ? r.$from : r.$to,
      s = i.depth
    for (; i.node(s).isInline; ) {
      if (!s) return !1
      s--
    }
    return i.node(s).isTextblock ? (t && t(e.tr.setSelection(O.create(e.doc, n < 0 ? i.start(s) : i.end(s)))), !0) : !1
  }
}
var ql = Gi(-1),
  Hl = Gi(1)
function Yi(n, e = null) {
  return (t, r) => {
    const { $from: i, $to: s } = t.selection,
      o = i.blockRange(s),
      l = o && et(o, n, e)
    return l ? (r && r(t.tr.wrap(o, l).scrollIntoView()), !0) : !1
  }
}
function Yn(n, e = null) {
  return (t, r) => {
    let i = !1
    for (let s = 0; s < t.selection.ranges.length && !i; s++) {
      const {
        $from: { pos: o },
        $to: { pos: l },
      } = t.selection.ranges[s]
      t.doc.nodesBetween(o, l, (a, c) => {
        if (i) return !1
        if (!(!a.isTextblock || a.hasMarkup(n, e)))
          if (a.type == n) i = !0
          else {
            const f = t.doc.resolve(c),
              h = f.index()
            i = f.parent.canReplaceWith(h, h + 1, n)
          }
      })
    }
    if (!i) return !1
    if (r) {
      const s = t.tr
      for (let o = 0; o < t.selection.ranges.length; o++) {
        const {
          $from: { pos: l },
          $to: { pos: a },
        } = t.selection.ranges[o]
        s.setBlockType(l, a, n, e)
      }
      r(s.scrollIntoView())
    }
    return !0
  }
}
function Kl(n, e, t, r) {
  for (let i = 0; i < e.length; i++) {
    let { $from: s, $to: o } = e[i],
      l = s.depth == 0 ? n.inlineContent && n.type.allowsMarkType(t) : !1
    if (
      (n.nodesBetween(s.pos, o.pos, (a, c) => {
        if (l || (!r && a.isAtom && a.isInline && c >= s.pos && c + a.nodeSize <= o.pos)) return !1
        l = a.inlineContent && a.type.allowsMarkType(t)
      }),
      l)
    )
      return !0
  }
  return !1
}
function Ul(n) {
  const e = []
  for (let t = 0; t < n.length; t++) {
    let { $from: r, $to: i } = n[t]
    r.doc.nodesBetween(r.pos, i.pos, (s, o) => {
      if (s.isAtom && s.content.size && s.isInline && o >= r.pos && o + s.nodeSize <= i.pos)
        return (
          o + 1 > r.pos && e.push(new nt(r, r.doc.resolve(o + 1))), (r = r.doc.resolve(o + 1 + s.content.size)), !1
        )
    }),
      r.pos < i.pos && e.push(new nt(r, i))
  }
  return e
}
function on(n, e = null, t) {
  const r = (t && t.removeWhenPresent) !== !1,
    i = (t && t.enterInlineAtoms) !== !1,
    s = !(t && t.includeWhitespace)
  return (o, l) => {
    let { empty: a, $cursor: c, ranges: f } = o.selection
    if ((a && !c) || !Kl(o.doc, f, n, i)) return !1
    if (l)
      if (c) n.isInSet(o.storedMarks || c.marks()) ? l(o.tr.removeStoredMark(n)) : l(o.tr.addStoredMark(n.create(e)))
      else {
        let h,
          u = o.tr
        i || (f = Ul(f)),
          r
            ? (h = !f.some((d) => o.doc.rangeHasMark(d.$from.pos, d.$to.pos, n)))
            : (h = !f.every((d) => {
                let p = !1
                return (
                  u.doc.nodesBetween(d.$from.pos, d.$to.pos, (m, g, k) => {
                    if (p) return !1
                    p =
                      !n.isInSet(m.marks) &&
                      !!k &&
                      k.type.allowsMarkType(n) &&
                      !(
                        m.isText &&
                        /^\s*$/.test(m.textBetween(Math.max(0, d.$from.pos - g), Math.min(m.nodeSize, d.$to.pos - g)))
                      )
                  }),
                  !p
                )
              }))
        for (let d = 0; d < f.length; d++) {
          const { $from: p, $to: m } = f[d]
          if (!h) u.removeMark(p.pos, m.pos, n)
          else {
            let g = p.pos,
              k = m.pos,
              N = p.nodeAfter,
              w = m.nodeBefore,
              ne = s && N && N.isText ? /^\s*/.exec(N.text)[0].length : 0,
              Ae = s && w && w.isText ? /\s*$/.exec(w.text)[0].length : 0
            g + ne < k && ((g += ne), (k -= Ae)), u.addMark(g, k, n.create(e))
          }
        }
        l(u.scrollIntoView())
      }
    return !0
  }
}
function Xn(...n) {
  return (e, t, r) => {
    for (let i = 0; i < n.length; i++) if (n[i](e, t, r)) return !0
    return !1
  }
}
var _n = Xn(Hi, Al, Il),
  qi = Xn(Hi, Bl, Pl),
  he = {
    Enter: Xn(zl, Fl, Ll, $l),
    'Mod-Enter': vl,
    Backspace: _n,
    'Mod-Backspace': _n,
    'Shift-Backspace': _n,
    Delete: qi,
    'Mod-Delete': qi,
    'Mod-a': Jl,
  },
  Xi = {
    'Ctrl-h': he.Backspace,
    'Alt-Backspace': he['Mod-Backspace'],
    'Ctrl-d': he.Delete,
    'Ctrl-Alt-Backspace': he['Mod-Delete'],
    'Alt-Delete': he['Mod-Delete'],
    'Alt-d': he['Mod-Delete'],
    'Ctrl-a': ql,
    'Ctrl-e': Hl,
  }
for (const n in he) Xi[n] = he[n]
var jl =
    typeof navigator < 'u'
      ? /Mac|iP(hone|[oa]d)/.test(navigator.platform)
      : typeof os < 'u' && os.platform
        ? os.platform() == 'darwin'
        : !1,
  Qi = jl ? Xi : he
var ln = 200,
  z = () => {}
z.prototype.append = function (e) {
  return e.length
    ? ((e = z.from(e)),
      (!this.length && e) ||
        (e.length < ln && this.leafAppend(e)) ||
        (this.length < ln && e.leafPrepend(this)) ||
        this.appendInner(e))
    : this
}
z.prototype.prepend = function (e) {
  return e.length ? z.from(e).append(this) : this
}
z.prototype.appendInner = function (e) {
  return new _l(this, e)
}
z.prototype.slice = function (e, t) {
  return (
    e === void 0 && (e = 0),
    t === void 0 && (t = this.length),
    e >= t ? z.empty : this.sliceInner(Math.max(0, e), Math.min(this.length, t))
  )
}
z.prototype.get = function (e) {
  if (!(e < 0 || e >= this.length)) return this.getInner(e)
}
z.prototype.forEach = function (e, t, r) {
  t === void 0 && (t = 0),
    r === void 0 && (r = this.length),
    t <= r ? this.forEachInner(e, t, r, 0) : this.forEachInvertedInner(e, t, r, 0)
}
z.prototype.map = function (e, t, r) {
  t === void 0 && (t = 0), r === void 0 && (r = this.length)
  var i = []
  return (this.forEach((s, o) => i.push(e(s, o)), t, r), i)
}
z.from = (e) => (e instanceof z ? e : e && e.length ? new Zi(e) : z.empty)
var Zi = ((n) => {
  function e(r) {
    n.call(this), (this.values = r)
  }
  n && (e.__proto__ = n), (e.prototype = Object.create(n && n.prototype)), (e.prototype.constructor = e)
  var t = { length: { configurable: !0 }, depth: { configurable: !0 } }
  return (
    (e.prototype.flatten = function () {
      return this.values
    }),
    (e.prototype.sliceInner = function (i, s) {
      return i == 0 && s == this.length ? this : new e(this.values.slice(i, s))
    }),
    (e.prototype.getInner = function (i) {
      return this.values[i]
    }),
    (e.prototype.forEachInner = function (i, s, o, l) {
      for (var a = s; a < o; a++) if (i(this.values[a], l + a) === !1) return !1
    }),
    (e.prototype.forEachInvertedInner = function (i, s, o, l) {
      for (var a = s - 1; a >= o; a--) if (i(this.values[a], l + a) === !1) return !1
    }),
    (e.prototype.leafAppend = function (i) {
      if (this.length + i.length <= ln) return new e(this.values.concat(i.flatten()))
    }),
    (e.prototype.leafPrepend = function (i) {
      if (this.length + i.length <= ln) return new e(i.flatten().concat(this.values))
    }),
    (t.length.get = function () {
      return this.values.length
    }),
    (t.depth.get = () => 0),
    Object.defineProperties(e.prototype, t),
    e
  )
})(z)
z.empty = new Zi([])
var _l = ((n) => {
    function e(t, r) {
      n.call(this),
        (this.left = t),
        (this.right = r),
        (this.length = t.length + r.length),
        (this.depth = Math.max(t.depth, r.depth) + 1)
    }
    return (
      n && (e.__proto__ = n),
      (e.prototype = Object.create(n && n.prototype)),
      (e.prototype.constructor = e),
      (e.prototype.flatten = function () {
        return this.left.flatten().concat(this.right.flatten())
      }),
      (e.prototype.getInner = function (r) {
        return r < this.left.length ? this.left.get(r) : this.right.get(r - this.left.length)
      }),
      (e.prototype.forEachInner = function (r, i, s, o) {
        var l = this.left.length
        if (
          (i < l && this.left.forEachInner(r, i, Math.min(s, l), o) === !1) ||
          (s > l && this.right.forEachInner(r, Math.max(i - l, 0), Math.min(this.length, s) - l, o + l) === !1)
        )
          return !1
      }),
      (e.prototype.forEachInvertedInner = function (r, i, s, o) {
        var l = this.left.length
        if (
          (i > l && this.right.forEachInvertedInner(r, i - l, Math.max(s, l) - l, o + l) === !1) ||
          (s < l && this.left.forEachInvertedInner(r, Math.min(i, l), s, o) === !1)
        )
          return !1
      }),
      (e.prototype.sliceInner = function (r, i) {
        if (r == 0 && i == this.length) return this
        var s = this.left.length
        return i <= s
          ? this.left.slice(r, i)
          : r >= s
            ? this.right.slice(r - s, i - s)
            : this.left.slice(r, s).append(this.right.slice(0, i - s))
      }),
      (e.prototype.leafAppend = function (r) {
        var i = this.right.leafAppend(r)
        if (i) return new e(this.left, i)
      }),
      (e.prototype.leafPrepend = function (r) {
        var i = this.left.leafPrepend(r)
        if (i) return new e(i, this.right)
      }),
      (e.prototype.appendInner = function (r) {
        return this.left.depth >= Math.max(this.right.depth, r.depth) + 1
          ? new e(this.left, new e(this.right, r))
          : new e(this, r)
      }),
      e
    )
  })(z),
  Qn = z
var Gl = 500,
  Ve = class n {
    constructor(e, t) {
      ;(this.items = e), (this.eventCount = t)
    }
    popEvent(e, t) {
      if (this.eventCount == 0) return null
      let r = this.items.length
      for (; ; r--)
        if (this.items.get(r - 1).selection) {
          --r
          break
        }
      let i, s
      t && ((i = this.remapping(r, this.items.length)), (s = i.maps.length))
      let o = e.tr,
        l,
        a,
        c = [],
        f = []
      return (
        this.items.forEach(
          (h, u) => {
            if (!h.step) {
              i || ((i = this.remapping(r, u + 1)), (s = i.maps.length)), s--, f.push(h)
              return
            }
            if (i) {
              f.push(new re(h.map))
              let d = h.step.map(i.slice(s)),
                p
              d &&
                o.maybeStep(d).doc &&
                ((p = o.mapping.maps[o.mapping.maps.length - 1]),
                c.push(new re(p, void 0, void 0, c.length + f.length))),
                s--,
                p && i.appendMap(p, s)
            } else o.maybeStep(h.step)
            if (h.selection)
              return (
                (l = i ? h.selection.map(i.slice(s)) : h.selection),
                (a = new n(this.items.slice(0, r).append(f.reverse().concat(c)), this.eventCount - 1)),
                !1
              )
          },
          this.items.length,
          0,
        ),
        { remaining: a, transform: o, selection: l }
      )
    }
    addTransform(e, t, r, i) {
      let s = [],
        o = this.eventCount,
        l = this.items,
        a = !i && l.length ? l.get(l.length - 1) : null
      for (let f = 0; f < e.steps.length; f++) {
        let h = e.steps[f].invert(e.docs[f]),
          u = new re(e.mapping.maps[f], h, t),
          d
        ;(d = a && a.merge(u)) && ((u = d), f ? s.pop() : (l = l.slice(0, l.length - 1))),
          s.push(u),
          t && (o++, (t = void 0)),
          i || (a = u)
      }
      const c = o - r.depth
      return (c > Xl && ((l = Yl(l, c)), (o -= c)), new n(l.append(s), o))
    }
    remapping(e, t) {
      const r = new xt()
      return (
        this.items.forEach(
          (i, s) => {
            const o = i.mirrorOffset != null && s - i.mirrorOffset >= e ? r.maps.length - i.mirrorOffset : void 0
            r.appendMap(i.map, o)
          },
          e,
          t,
        ),
        r
      )
    }
    addMaps(e) {
      return this.eventCount == 0 ? this : new n(this.items.append(e.map((t) => new re(t))), this.eventCount)
    }
    rebased(e, t) {
      if (!this.eventCount) return this
      t = Math.min(this.items.length, t)
      let r = [],
        i = this.items.length - t,
        s = e.mapping,
        o = e.steps.length,
        l = this.eventCount
      this.items.forEach((u) => {
        u.selection && l--
      }, i)
      let a = t
      this.items.forEach((u) => {
        const d = s.getMirror(--a)
        if (d == null) return
        o = Math.min(o, d)
        const p = s.maps[d]
        if (u.step) {
          const m = e.steps[d].invert(e.docs[d]),
            g = u.selection && u.selection.map(s.slice(a + 1, d))
          g && l++, r.push(new re(p, m, g))
        } else r.push(new re(p))
      }, i)
      const c = []
      for (let u = t; u < o; u++) c.push(new re(s.maps[u]))
      let f = this.items.slice(0, i).append(c).append(r),
        h = new n(f, l)
      return (h.emptyItemCount() > Gl && (h = h.compress(this.items.length - r.length)), h)
    }
    emptyItemCount() {
      let e = 0
      return (
        this.items.forEach((t) => {
          t.step || e++
        }),
        e
      )
    }
    compress(e = this.items.length) {
      let t = this.remapping(0, e),
        r = t.maps.length,
        i = [],
        s = 0
      return (
        this.items.forEach(
          (o, l) => {
            if (l >= e) i.push(o), o.selection && s++
            else if (o.step) {
              const a = o.step.map(t.slice(r)),
                c = a && a.getMap()
              if ((r--, c && t.appendMap(c, r), a)) {
                const f = o.selection && o.selection.map(t.slice(r))
                f && s++
                let h = new re(c.invert(), a, f),
                  u,
                  d = i.length - 1
                ;(u = i.length && i[d].merge(h)) ? (i[d] = u) : i.push(h)
              }
            } else o.map && r--
          },
          this.items.length,
          0,
        ),
        new n(Qn.from(i.reverse()), s)
      )
    }
  }
Ve.empty = new Ve(Qn.empty, 0)
function Yl(n, e) {
  let t
  return (
    n.forEach((r, i) => {
      if (r.selection && e-- == 0) return ((t = i), !1)
    }),
    n.slice(t)
  )
}
var re = class n {
    constructor(e, t, r, i) {
      ;(this.map = e), (this.step = t), (this.selection = r), (this.mirrorOffset = i)
    }
    merge(e) {
      if (this.step && e.step && !e.selection) {
        const t = e.step.merge(this.step)
        if (t) return new n(t.getMap().invert(), t, this.selection)
      }
    }
  },
  ie = class {
    constructor(e, t, r, i, s) {
      ;(this.done = e), (this.undone = t), (this.prevRanges = r), (this.prevTime = i), (this.prevComposition = s)
    }
  },
  Xl = 20
function Ql(n, e, t, r) {
  let i = t.getMeta(Le),
    s
  if (i) return i.historyState
  t.getMeta(ta) && (n = new ie(n.done, n.undone, null, 0, -1))
  const o = t.getMeta('appendedTransaction')
  if (t.steps.length == 0) return n
  if (o && o.getMeta(Le))
    return o.getMeta(Le).redo
      ? new ie(n.done.addTransform(t, void 0, r, an(e)), n.undone, es(t.mapping.maps), n.prevTime, n.prevComposition)
      : new ie(n.done, n.undone.addTransform(t, void 0, r, an(e)), null, n.prevTime, n.prevComposition)
  if (t.getMeta('addToHistory') !== !1 && !(o && o.getMeta('addToHistory') === !1)) {
    const l = t.getMeta('composition'),
      a =
        n.prevTime == 0 ||
        (!o && n.prevComposition != l && (n.prevTime < (t.time || 0) - r.newGroupDelay || !Zl(t, n.prevRanges))),
      c = o ? Zn(n.prevRanges, t.mapping) : es(t.mapping.maps)
    return new ie(
      n.done.addTransform(t, a ? e.selection.getBookmark() : void 0, r, an(e)),
      Ve.empty,
      c,
      t.time,
      l ?? n.prevComposition,
    )
  } else
    return (s = t.getMeta('rebased'))
      ? new ie(n.done.rebased(t, s), n.undone.rebased(t, s), Zn(n.prevRanges, t.mapping), n.prevTime, n.prevComposition)
      : new ie(
          n.done.addMaps(t.mapping.maps),
          n.undone.addMaps(t.mapping.maps),
          Zn(n.prevRanges, t.mapping),
          n.prevTime,
          n.prevComposition,
        )
}
function Zl(n, e) {
  if (!e) return !1
  if (!n.docChanged) return !0
  let t = !1
  return (
    n.mapping.maps[0].forEach((r, i) => {
      for (let s = 0; s < e.length; s += 2) r <= e[s + 1] && i >= e[s] && (t = !0)
    }),
    t
  )
}
function es(n) {
  const e = []
  for (let t = n.length - 1; t >= 0 && e.length == 0; t--) n[t].forEach((r, i, s, o) => e.push(s, o))
  return e
}
function Zn(n, e) {
  if (!n) return null
  const t = []
  for (let r = 0; r < n.length; r += 2) {
    const i = e.map(n[r], 1),
      s = e.map(n[r + 1], -1)
    i <= s && t.push(i, s)
  }
  return t
}
function ea(n, e, t) {
  const r = an(e),
    i = Le.get(e).spec.config,
    s = (t ? n.undone : n.done).popEvent(e, r)
  if (!s) return null
  const o = s.selection.resolve(s.transform.doc),
    l = (t ? n.done : n.undone).addTransform(s.transform, e.selection.getBookmark(), i, r),
    a = new ie(t ? l : s.remaining, t ? s.remaining : l, null, 0, -1)
  return s.transform.setSelection(o).setMeta(Le, { redo: t, historyState: a })
}
var er = !1,
  ts = null
function an(n) {
  const e = n.plugins
  if (ts != e) {
    ;(er = !1), (ts = e)
    for (let t = 0; t < e.length; t++)
      if (e[t].spec.historyPreserveItems) {
        er = !0
        break
      }
  }
  return er
}
var Le = new Nt('history'),
  ta = new Nt('closeHistory')
function ns(n = {}) {
  return (
    (n = { depth: n.depth || 100, newGroupDelay: n.newGroupDelay || 500 }),
    new Se({
      key: Le,
      state: {
        init() {
          return new ie(Ve.empty, Ve.empty, null, 0, -1)
        },
        apply(e, t, r) {
          return Ql(t, r, e, n)
        },
      },
      config: n,
      props: {
        handleDOMEvents: {
          beforeinput(e, t) {
            const r = t.inputType,
              i = r == 'historyUndo' ? fn : r == 'historyRedo' ? wt : null
            return !i || !e.editable ? !1 : (t.preventDefault(), i(e.state, e.dispatch))
          },
        },
      },
    })
  )
}
function cn(n, e) {
  return (t, r) => {
    const i = Le.getState(t)
    if (!i || (n ? i.undone : i.done).eventCount == 0) return !1
    if (r) {
      const s = ea(i, t, n)
      s && r(e ? s.scrollIntoView() : s)
    }
    return !0
  }
}
var fn = cn(!1, !0),
  wt = cn(!0, !0),
  Ef = cn(!1, !1),
  Af = cn(!0, !1)
var se = class {
  constructor(e, t, r = {}) {
    ;(this.match = e),
      (this.match = e),
      (this.handler = typeof t == 'string' ? na(t) : t),
      (this.undoable = r.undoable !== !1),
      (this.inCode = r.inCode || !1),
      (this.inCodeMark = r.inCodeMark !== !1)
  }
}
function na(n) {
  return (e, t, r, i) => {
    let s = n
    if (t[1]) {
      const o = t[0].lastIndexOf(t[1])
      ;(s += t[0].slice(o + t[1].length)), (r += o)
      const l = r - i
      l > 0 && ((s = t[0].slice(o - l, o) + s), (r = i))
    }
    return e.tr.insertText(s, r, i)
  }
}
var ra = 500
function is({ rules: n }) {
  const e = new Se({
    state: {
      init() {
        return null
      },
      apply(t, r) {
        const i = t.getMeta(this)
        return i || (t.selectionSet || t.docChanged ? null : r)
      },
    },
    props: {
      handleTextInput(t, r, i, s) {
        return rs(t, r, i, s, n, e)
      },
      handleDOMEvents: {
        compositionend: (t) => {
          setTimeout(() => {
            const { $cursor: r } = t.state.selection
            r && rs(t, r.pos, r.pos, '', n, e)
          })
        },
      },
    },
    isInputRules: !0,
  })
  return e
}
function rs(n, e, t, r, i, s) {
  if (n.composing) return !1
  const o = n.state,
    l = o.doc.resolve(e),
    a = n.state.selection,
    c = l.parent.textBetween(Math.max(0, l.parentOffset - ra), l.parentOffset, null, '\uFFFC') + r,
    f =
      (e == a.from && t == a.to && n.state.storedMarks) || (e == t ? l.marks() : l.marksAcross(o.doc.resolve(t)) || [])
  for (let h = 0; h < i.length; h++) {
    const u = i[h]
    if (!u.inCodeMark && f.some((g) => g.type.spec.code)) continue
    if (l.parent.type.spec.code) {
      if (!u.inCode) continue
    } else if (u.inCode === 'only') continue
    const d = u.match.exec(c)
    if (!d || d[0].length < r.length) continue
    const p = e - (d[0].length - r.length)
    if (!u.inCodeMark) {
      let g = !1
      if (
        (o.doc.nodesBetween(p, l.pos, (k) => {
          k.isInline && k.marks.some((N) => N.type.spec.code) && (g = !0)
        }),
        g)
      )
        continue
    }
    const m = u.handler(o, d, p, t)
    if (m) return (u.undoable && m.setMeta(s, { transform: m, from: e, to: t, text: r }), n.dispatch(m), !0)
  }
  return !1
}
var zf = new se(/--$/, '\u2014', { inCodeMark: !1 }),
  vf = new se(/\.\.\.$/, '\u2026', { inCodeMark: !1 }),
  Ff = new se(/(?:^|[\s{[(<'"\u2018\u201C])(")$/, '\u201C', { inCodeMark: !1 }),
  Lf = new se(/"$/, '\u201D', { inCodeMark: !1 }),
  Vf = new se(/(?:^|[\s{[(<'"\u2018\u201C])(')$/, '\u2018', { inCodeMark: !1 }),
  $f = new se(/'$/, '\u2019', { inCodeMark: !1 })
function hn(n, e, t, r) {
  let i, s
  return (
    e instanceof ae ? (s = e) : ((i = e), (s = e.nodeType), (t = e.getAttrs), (r = e.joinPredicate)),
    new se(
      n,
      (o, l, a, c) => {
        const f = t instanceof Function ? t(l) : t,
          h = o.tr.delete(a, c),
          u = h.doc.resolve(a),
          d = u.blockRange(),
          p = d && et(d, s, f)
        if (!p) return null
        h.wrap(d, p)
        const m = h.doc.resolve(a - 1).nodeBefore
        return (m && m.type == s && ve(h.doc, a - 1) && (!r || r(l, m)) && h.join(a - 1), h)
      },
      i,
    )
  )
}
function ss(n, e, t) {
  let r, i
  return (
    e instanceof ae ? (i = e) : ((r = e), (i = e.nodeType), (t = e.getAttrs)),
    new se(
      n,
      (s, o, l, a) => {
        const c = s.doc.resolve(l),
          f = t instanceof Function ? t(o) : t
        return c.node(-1).canReplaceWith(c.index(-1), c.indexAfter(-1), i)
          ? s.tr.delete(l, a).setBlockType(l, l, i, f)
          : null
      },
      r,
    )
  )
}
var ue = {
    8: 'Backspace',
    9: 'Tab',
    10: 'Enter',
    12: 'NumLock',
    13: 'Enter',
    16: 'Shift',
    17: 'Control',
    18: 'Alt',
    20: 'CapsLock',
    27: 'Escape',
    32: ' ',
    33: 'PageUp',
    34: 'PageDown',
    35: 'End',
    36: 'Home',
    37: 'ArrowLeft',
    38: 'ArrowUp',
    39: 'ArrowRight',
    40: 'ArrowDown',
    44: 'PrintScreen',
    45: 'Insert',
    46: 'Delete',
    59: ';',
    61: '=',
    91: 'Meta',
    92: 'Meta',
    106: '*',
    107: '+',
    108: ',',
    109: '-',
    110: '.',
    111: '/',
    144: 'NumLock',
    145: 'ScrollLock',
    160: 'Shift',
    161: 'Shift',
    162: 'Control',
    163: 'Control',
    164: 'Alt',
    165: 'Alt',
    173: '-',
    186: ';',
    187: '=',
    188: ',',
    189: '-',
    190: '.',
    191: '/',
    192: '`',
    219: '[',
    220: '\\',
    221: ']',
    222: "'",
  },
  dn = {
    48: ')',
    49: '!',
    50: '@',
    51: '#',
    52: '$',
    53: '%',
    54: '^',
    55: '&',
    56: '*',
    57: '(',
    59: ':',
    61: '+',
    173: '_',
    186: ':',
    187: '+',
    188: '<',
    189: '_',
    190: '>',
    191: '?',
    192: '~',
    219: '{',
    220: '|',
    221: '}',
    222: '"',
  },
  ia = typeof navigator < 'u' && /Mac/.test(navigator.platform),
  sa = typeof navigator < 'u' && /MSIE \d|Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(navigator.userAgent)
for (E = 0; E < 10; E++) ue[48 + E] = ue[96 + E] = String(E)
var E
for (E = 1; E <= 24; E++) ue[E + 111] = 'F' + E
var E
for (E = 65; E <= 90; E++) (ue[E] = String.fromCharCode(E + 32)), (dn[E] = String.fromCharCode(E))
var E
for (un in ue) Object.hasOwn(dn, un) || (dn[un] = ue[un])
var un
function ls(n) {
  var e =
      (ia && n.metaKey && n.shiftKey && !n.ctrlKey && !n.altKey) ||
      (sa && n.shiftKey && n.key && n.key.length == 1) ||
      n.key == 'Unidentified',
    t = (!e && n.key) || (n.shiftKey ? dn : ue)[n.keyCode] || n.key || 'Unidentified'
  return (
    t == 'Esc' && (t = 'Escape'),
    t == 'Del' && (t = 'Delete'),
    t == 'Left' && (t = 'ArrowLeft'),
    t == 'Up' && (t = 'ArrowUp'),
    t == 'Right' && (t = 'ArrowRight'),
    t == 'Down' && (t = 'ArrowDown'),
    t
  )
}
var oa = typeof navigator < 'u' && /Mac|iP(hone|[oa]d)/.test(navigator.platform),
  la = typeof navigator < 'u' && /Win/.test(navigator.platform)
function aa(n) {
  let e = n.split(/-(?!$)/),
    t = e[e.length - 1]
  t == 'Space' && (t = ' ')
  let r, i, s, o
  for (let l = 0; l < e.length - 1; l++) {
    const a = e[l]
    if (/^(cmd|meta|m)$/i.test(a)) o = !0
    else if (/^a(lt)?$/i.test(a)) r = !0
    else if (/^(c|ctrl|control)$/i.test(a)) i = !0
    else if (/^s(hift)?$/i.test(a)) s = !0
    else if (/^mod$/i.test(a)) oa ? (o = !0) : (i = !0)
    else throw new Error('Unrecognized modifier name: ' + a)
  }
  return (r && (t = 'Alt-' + t), i && (t = 'Ctrl-' + t), o && (t = 'Meta-' + t), s && (t = 'Shift-' + t), t)
}
function ca(n) {
  const e = Object.create(null)
  for (const t in n) e[aa(t)] = n[t]
  return e
}
function tr(n, e, t = !0) {
  return (
    e.altKey && (n = 'Alt-' + n),
    e.ctrlKey && (n = 'Ctrl-' + n),
    e.metaKey && (n = 'Meta-' + n),
    t && e.shiftKey && (n = 'Shift-' + n),
    n
  )
}
function nr(n) {
  return new Se({ props: { handleKeyDown: fa(n) } })
}
function fa(n) {
  const e = ca(n)
  return (t, r) => {
    let i = ls(r),
      s,
      o = e[tr(i, r)]
    if (o && o(t.state, t.dispatch, t)) return !0
    if (i.length == 1 && i != ' ') {
      if (r.shiftKey) {
        const l = e[tr(i, r, !1)]
        if (l && l(t.state, t.dispatch, t)) return !0
      }
      if ((r.altKey || r.metaKey || r.ctrlKey) && !(la && r.ctrlKey && r.altKey) && (s = ue[r.keyCode]) && s != i) {
        const l = e[tr(s, r)]
        if (l && l(t.state, t.dispatch, t)) return !0
      }
    }
    return !1
  }
}
function as(n, e = null) {
  return (t, r) => {
    const { $from: i, $to: s } = t.selection,
      o = i.blockRange(s)
    if (!o) return !1
    const l = r ? t.tr : null
    return ha(l, o, n, e) ? (r && r(l.scrollIntoView()), !0) : !1
  }
}
function ha(n, e, t, r = null) {
  let i = !1,
    s = e,
    o = e.$from.doc
  if (e.depth >= 2 && e.$from.node(e.depth - 1).type.compatibleContent(t) && e.startIndex == 0) {
    if (e.$from.index(e.depth - 1) == 0) return !1
    const a = o.resolve(e.start - 2)
    ;(s = new Be(a, a, e.depth)),
      e.endIndex < e.parent.childCount && (e = new Be(e.$from, o.resolve(e.$to.end(e.depth)), e.depth)),
      (i = !0)
  }
  const l = et(s, t, r, e)
  return l ? (n && ua(n, e, l, i, t), !0) : !1
}
function ua(n, e, t, r, i) {
  let s = y.empty
  for (let f = t.length - 1; f >= 0; f--) s = y.from(t[f].type.create(t[f].attrs, s))
  n.step(new P(e.start - (r ? 2 : 0), e.end, e.start, e.end, new b(s, 0, 0), t.length, !0))
  let o = 0
  for (let f = 0; f < t.length; f++) t[f].type == i && (o = f + 1)
  let l = t.length - o,
    a = e.start + t.length - (r ? 2 : 0),
    c = e.parent
  for (let f = e.startIndex, h = e.endIndex, u = !0; f < h; f++, u = !1)
    !u && l && xe(n.doc, a, l) && (n.split(a, l), (a += 2 * l)), (a += c.child(f).nodeSize)
  return n
}
function it(n, e) {
  return n instanceof ae ? e == n : n.indexOf(e) > -1
}
function cs(n, e) {
  return (t, r) => {
    const { $from: i, $to: s, node: o } = t.selection
    if ((o && o.isBlock) || i.depth < 2 || !i.sameParent(s)) return !1
    const l = i.node(-1)
    if (!it(n, l.type)) return !1
    if (i.parent.content.size == 0 && i.node(-1).childCount == i.indexAfter(-1)) {
      if (i.depth == 3 || !it(n, i.node(-3).type) || i.index(-2) != i.node(-2).childCount - 1) return !1
      if (r) {
        let h = y.empty,
          u = i.index(-1) ? 1 : i.index(-2) ? 2 : 3
        for (let k = i.depth - u; k >= i.depth - 3; k--) h = y.from(i.node(k).copy(h))
        const d = i.indexAfter(-1) < i.node(-2).childCount ? 1 : i.indexAfter(-2) < i.node(-3).childCount ? 2 : 3
        h = h.append(y.from(i.node(-3).type.createAndFill()))
        let p = i.before(i.depth - (u - 1)),
          m = t.tr.replace(p, i.after(-d), new b(h, 4 - u, 0)),
          g = -1
        m.doc.nodesBetween(p, m.doc.content.size, (k, N) => {
          if (g > -1) return !1
          k.isTextblock && k.content.size == 0 && (g = N + 1)
        }),
          g > -1 && m.setSelection(M.near(m.doc.resolve(g))),
          r(m.scrollIntoView())
      }
      return !0
    }
    const a = s.pos == i.end() ? l.contentMatchAt(0).defaultType : null,
      c = t.tr.delete(i.pos, s.pos),
      f = a ? [e ? { type: l.type, attrs: e } : null, { type: a }] : void 0
    return xe(c.doc, i.pos, 2, f) ? (r && r(c.split(i.pos, 2, f).scrollIntoView()), !0) : !1
  }
}
function rr(n) {
  return (e, t) => {
    const { $from: r, $to: i } = e.selection,
      s = r.blockRange(i, (o) => o.childCount > 0 && it(n, o.firstChild.type))
    return s ? (t ? (it(n, r.node(s.depth - 1).type) ? da(e, t, s) : pa(e, t, s)) : !0) : !1
  }
}
function da(n, e, t) {
  const r = n.tr,
    i = t.end,
    s = t.$to.end(t.depth),
    o = t.parent.child(t.endIndex - 1).type
  i < s &&
    (r.step(new P(i - 1, s, i, s, new b(y.from(o.create(null, t.parent.copy())), 1, 0), 1, !0)),
    (t = new Be(r.doc.resolve(t.$from.pos), r.doc.resolve(s), t.depth)))
  const l = ze(t)
  if (l == null) return !1
  r.lift(t, l)
  const a = r.doc.resolve(r.mapping.map(i, -1) - 1)
  return (ve(r.doc, a.pos) && a.nodeBefore.type == a.nodeAfter.type && r.join(a.pos), e(r.scrollIntoView()), !0)
}
function pa(n, e, t) {
  const r = n.tr,
    i = t.parent
  for (let d = t.end, p = t.endIndex - 1, m = t.startIndex; p > m; p--)
    (d -= i.child(p).nodeSize), r.delete(d - 1, d + 1)
  const s = r.doc.resolve(t.start),
    o = s.nodeAfter
  if (r.mapping.map(t.end) != t.start + s.nodeAfter.nodeSize) return !1
  const l = t.startIndex == 0,
    a = t.endIndex == i.childCount,
    c = s.node(-1),
    f = s.index(-1)
  if (!c.canReplace(f + (l ? 0 : 1), f + 1, o.content.append(a ? y.empty : y.from(i)))) return !1
  const h = s.pos,
    u = h + o.nodeSize
  return (
    r.step(
      new P(
        h - (l ? 1 : 0),
        u + (a ? 1 : 0),
        h + 1,
        u - 1,
        new b(
          (l ? y.empty : y.from(i.copy(y.empty))).append(a ? y.empty : y.from(i.copy(y.empty))),
          l ? 0 : 1,
          a ? 0 : 1,
        ),
        l ? 0 : 1,
      ),
    ),
    e(r.scrollIntoView()),
    !0
  )
}
function fs(n) {
  return (e, t) => {
    const { $from: r, $to: i } = e.selection,
      s = r.blockRange(i, (c) => c.childCount > 0 && it(n, c.firstChild.type))
    if (!s) return !1
    const o = s.startIndex
    if (o == 0) return !1
    const l = s.parent,
      a = l.child(o - 1)
    if (!it(n, a.type)) return !1
    if (t) {
      const c = a.lastChild && a.lastChild.type == l.type,
        f = y.from(c ? a.lastChild.lastChild.type.create() : null),
        h = new b(y.from(a.type.create(null, y.from(l.type.create(null, f)))), c ? 3 : 1, 0),
        u = s.start,
        d = s.end
      t(e.tr.step(new P(u - (c ? 3 : 1), d, u, d, h, 1, !0)).scrollIntoView())
    }
    return !0
  }
}
var v = (n) => {
    for (var e = 0; ; e++) if (((n = n.previousSibling), !n)) return e
  },
  at = (n) => {
    const e = n.assignedSlot || n.parentNode
    return e && e.nodeType == 11 ? e.host : e
  },
  ar = null,
  pe = (n, e, t) => {
    const r = ar || (ar = document.createRange())
    return (r.setEnd(n, t ?? n.nodeValue.length), r.setStart(n, e || 0), r)
  },
  ma = () => {
    ar = null
  },
  Ue = (n, e, t, r) => t && (hs(n, e, t, r, -1) || hs(n, e, t, r, 1)),
  ga = /^(img|br|input|textarea|hr)$/i
function hs(n, e, t, r, i) {
  for (var s; ; ) {
    if (n == t && e == r) return !0
    if (e == (i < 0 ? 0 : $(n))) {
      const o = n.parentNode
      if (!o || !x(o) || vt(n) || ga.test(n.nodeName) || n.contentEditable == 'false') return !1
      ;(e = v(n) + (i < 0 ? 0 : 1)), (n = o)
    } else if (x(n)) {
      const o = n.childNodes[e + (i < 0 ? -1 : 0)]
      if (x(o) && o.contentEditable == 'false')
        if (!((s = o.pmViewDesc) === null || s === void 0) && s.ignoreForSelection) e += i
        else return !1
      else (n = o), (e = i < 0 ? $(n) : 0)
    } else return !1
  }
}
function $(n) {
  return n.nodeType == 3 ? n.nodeValue.length : n.childNodes.length
}
function x(n) {
  return n.nodeType == 1
}
function I(n) {
  return n.nodeType == 3
}
function je(n, e) {
  return e ? n.contains(x(e) ? e : e.parentNode) : !1
}
function ya(n, e) {
  for (;;) {
    if (I(n) && e) return n
    if (x(n) && e > 0) {
      if (n.contentEditable == 'false') return null
      ;(n = n.childNodes[e - 1]), (e = $(n))
    } else if (n.parentNode && !vt(n)) (e = v(n)), (n = n.parentNode)
    else return null
  }
}
function ba(n, e) {
  for (;;) {
    if (I(n) && e < n.nodeValue.length) return n
    if (x(n) && e < n.childNodes.length) {
      if (n.contentEditable == 'false') return null
      ;(n = n.childNodes[e]), (e = 0)
    } else if (n.parentNode && !vt(n)) (e = v(n) + 1), (n = n.parentNode)
    else return null
  }
}
function ka(n, e, t) {
  for (let r = e == 0, i = e == $(n); r || i; ) {
    if (n == t) return !0
    const s = v(n)
    if (((n = n.parentNode), !n)) return !1
    ;(r = r && s == 0), (i = i && s == $(n))
  }
}
function vt(n) {
  let e
  for (let t = n; t && !(e = t.pmViewDesc); t = t.parentNode);
  return e && e.node && e.node.isBlock && (e.dom == n || e.contentDOM == n)
}
var On = (n) => n.focusNode && Ue(n.focusNode, n.focusOffset, n.anchorNode, n.anchorOffset)
function xa(n, e) {
  const t = document.createEvent('Event')
  return (t.initEvent('keydown', !0, !0), (t.keyCode = n), (t.key = t.code = e), t)
}
function Sa(n) {
  let e = n.activeElement
  for (; e && e.shadowRoot; ) e = e.shadowRoot.activeElement
  return e
}
function Ma(n, e, t) {
  if (n.caretPositionFromPoint)
    try {
      const r = n.caretPositionFromPoint(e, t)
      if (r) return { node: r.offsetNode, offset: Math.min($(r.offsetNode), r.offset) }
    } catch {}
  if (n.caretRangeFromPoint) {
    const r = n.caretRangeFromPoint(e, t)
    if (r) return { node: r.startContainer, offset: Math.min($(r.startContainer), r.startOffset) }
  }
}
var oe = typeof navigator < 'u' ? navigator : null,
  us = typeof document < 'u' ? document : null,
  Te = (oe && oe.userAgent) || '',
  cr = /Edge\/(\d+)/.exec(Te),
  Js = /MSIE \d/.exec(Te),
  fr = /Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(Te),
  U = !!(Js || fr || cr),
  Ne = Js ? document.documentMode : fr ? +fr[1] : cr ? +cr[1] : 0,
  _ = !U && /gecko\/(\d+)/i.test(Te)
_ && +(/Firefox\/(\d+)/.exec(Te) || [0, 0])[1]
var hr = !U && /Chrome\/(\d+)/.exec(Te),
  F = !!hr,
  Ws = hr ? +hr[1] : 0,
  J = !U && !!oe && /Apple Computer/.test(oe.vendor),
  ct = J && (/Mobile\/\w+/.test(Te) || (!!oe && oe.maxTouchPoints > 2)),
  X = ct || (oe ? /Mac/.test(oe.platform) : !1),
  qs = oe ? /Win/.test(oe.platform) : !1,
  me = /Android \d/.test(Te),
  Nn = !!us && 'webkitFontSmoothing' in us.documentElement.style,
  Ca = Nn ? +(/\bAppleWebKit\/(\d+)/.exec(navigator.userAgent) || [0, 0])[1] : 0
function Oa(n) {
  const e = n.defaultView && n.defaultView.visualViewport
  return e
    ? { left: 0, right: e.width, top: 0, bottom: e.height }
    : { left: 0, right: n.documentElement.clientWidth, top: 0, bottom: n.documentElement.clientHeight }
}
function de(n, e) {
  return typeof n == 'number' ? n : n[e]
}
function Na(n) {
  const e = n.getBoundingClientRect(),
    t = e.width / n.offsetWidth || 1,
    r = e.height / n.offsetHeight || 1
  return { left: e.left, right: e.left + n.clientWidth * t, top: e.top, bottom: e.top + n.clientHeight * r }
}
function ds(n, e, t) {
  if (!ur(e) && e.left == 0) return
  const r = n.someProp('scrollThreshold') || 0,
    i = n.someProp('scrollMargin') || 5,
    s = n.dom.ownerDocument
  for (let o = t || n.dom; o; ) {
    if (!x(o)) {
      o = at(o)
      continue
    }
    let l = o == s.body,
      a = l ? Oa(s) : Na(o),
      c = 0,
      f = 0
    if (
      (e.top < a.top + de(r, 'top')
        ? (f = -(a.top - e.top + de(i, 'top')))
        : e.bottom > a.bottom - de(r, 'bottom') &&
          (f =
            e.bottom - e.top > a.bottom - a.top ? e.top + de(i, 'top') - a.top : e.bottom - a.bottom + de(i, 'bottom')),
      e.left < a.left + de(r, 'left')
        ? (c = -(a.left - e.left + de(i, 'left')))
        : e.right > a.right - de(r, 'right') && (c = e.right - a.right + de(i, 'right')),
      c || f)
    )
      if (l) s.defaultView.scrollBy(c, f)
      else {
        const u = o.scrollLeft,
          d = o.scrollTop
        f && (o.scrollTop += f), c && (o.scrollLeft += c)
        const p = o.scrollLeft - u,
          m = o.scrollTop - d
        e = { left: e.left - p, top: e.top - m, right: e.right - p, bottom: e.bottom - m }
      }
    const h = l ? 'fixed' : getComputedStyle(o).position
    if (/^(fixed|sticky)$/.test(h)) break
    o = h == 'absolute' ? o.offsetParent : at(o)
  }
}
function wa(n) {
  let e = n.dom.getBoundingClientRect(),
    t = Math.max(0, e.top),
    r,
    i
  for (let s = (e.left + e.right) / 2, o = t + 1; o < Math.min(innerHeight, e.bottom); o += 5) {
    const l = n.root.elementFromPoint(s, o)
    if (!l || l == n.dom || !n.dom.contains(l)) continue
    const a = l.getBoundingClientRect()
    if (a.top >= t - 20) {
      ;(r = l), (i = a.top)
      break
    }
  }
  return { refDOM: r, refTop: i, stack: Hs(n.dom) }
}
function Hs(n) {
  const e = [],
    t = n.ownerDocument
  for (let r = n; r && (e.push({ dom: r, top: r.scrollTop, left: r.scrollLeft }), n != t); r = at(r));
  return e
}
function Da({ refDOM: n, refTop: e, stack: t }) {
  const r = n ? n.getBoundingClientRect().top : 0
  Ks(t, r == 0 ? 0 : r - e)
}
function Ks(n, e) {
  for (let t = 0; t < n.length; t++) {
    const { dom: r, top: i, left: s } = n[t]
    r.scrollTop != i + e && (r.scrollTop = i + e), r.scrollLeft != s && (r.scrollLeft = s)
  }
}
var st = null
function Ta(n) {
  if (n.setActive) return n.setActive()
  if (st) return n.focus(st)
  const e = Hs(n)
  n.focus(
    st == null
      ? {
          get preventScroll() {
            return ((st = { preventScroll: !0 }), !0)
          },
        }
      : void 0,
  ),
    st || ((st = !1), Ks(e, 0))
}
function Us(n, e) {
  let t,
    r = 2e8,
    i,
    s = 0,
    o = e.top,
    l = e.top,
    a,
    c
  for (let f = n.firstChild, h = 0; f; f = f.nextSibling, h++) {
    let u
    if (x(f)) u = f.getClientRects()
    else if (I(f)) u = pe(f).getClientRects()
    else continue
    for (let d = 0; d < u.length; d++) {
      const p = u[d]
      if (p.top <= o && p.bottom >= l) {
        ;(o = Math.max(p.bottom, o)), (l = Math.min(p.top, l))
        const m = p.left > e.left ? p.left - e.left : p.right < e.left ? e.left - p.right : 0
        if (m < r) {
          ;(t = f),
            (r = m),
            (i = m && I(t) ? { left: p.right < e.left ? p.right : p.left, top: e.top } : e),
            x(f) && m && (s = h + (e.left >= (p.left + p.right) / 2 ? 1 : 0))
          continue
        }
      } else
        p.top > e.top &&
          !a &&
          p.left <= e.left &&
          p.right >= e.left &&
          ((a = f), (c = { left: Math.max(p.left, Math.min(p.right, e.left)), top: p.top }))
      !t && ((e.left >= p.right && e.top >= p.top) || (e.left >= p.left && e.top >= p.bottom)) && (s = h + 1)
    }
  }
  return (!t && a && ((t = a), (i = c), (r = 0)), t && I(t) ? Ea(t, i) : !t || r ? { node: n, offset: s } : Us(t, i))
}
function Ea(n, e) {
  let t = n.nodeValue.length,
    r = document.createRange(),
    i
  for (let s = 0; s < t; s++) {
    r.setEnd(n, s + 1), r.setStart(n, s)
    const o = Me(r, 1)
    if (o.top != o.bottom && Tr(e, o)) {
      i = { node: n, offset: s + (e.left >= (o.left + o.right) / 2 ? 1 : 0) }
      break
    }
  }
  return (r.detach(), i || { node: n, offset: 0 })
}
function Tr(n, e) {
  return n.left >= e.left - 1 && n.left <= e.right + 1 && n.top >= e.top - 1 && n.top <= e.bottom + 1
}
function Aa(n, e) {
  const t = n.parentNode
  return t && /^li$/i.test(t.nodeName) && e.left < n.getBoundingClientRect().left ? t : n
}
function Ia(n, e, t) {
  let { node: r, offset: i } = Us(e, t),
    s = -1
  if (x(r) && !r.firstChild) {
    const o = r.getBoundingClientRect()
    s = o.left != o.right && t.left > (o.left + o.right) / 2 ? 1 : -1
  }
  return n.docView.posFromDOM(r, i, s)
}
function Ra(n, e, t, r) {
  let i = -1
  for (let s = e, o = !1; s != n.dom; ) {
    let l = n.docView.nearestDesc(s, !0),
      a
    if (!l) return null
    if (
      x(l.dom) &&
      ((l.node.isBlock && l.parent) || !l.contentDOM) &&
      ((a = l.dom.getBoundingClientRect()).width || a.height) &&
      (l.node.isBlock &&
        l.parent &&
        !/^T(R|BODY|HEAD|FOOT)$/.test(l.dom.nodeName) &&
        ((!o && a.left > r.left) || a.top > r.top
          ? (i = l.posBefore)
          : ((!o && a.right < r.left) || a.bottom < r.top) && (i = l.posAfter),
        (o = !0)),
      !l.contentDOM && i < 0 && !l.node.isText)
    )
      return (l.node.isBlock ? r.top < (a.top + a.bottom) / 2 : r.left < (a.left + a.right) / 2)
        ? l.posBefore
        : l.posAfter
    s = l.dom.parentNode
  }
  return i > -1 ? i : n.docView.posFromDOM(e, t, -1)
}
function js(n, e, t) {
  const r = n.childNodes.length
  if (r && t.top < t.bottom)
    for (let i = Math.max(0, Math.min(r - 1, Math.floor((r * (e.top - t.top)) / (t.bottom - t.top)) - 2)), s = i; ; ) {
      const o = n.childNodes[s]
      if (x(o)) {
        const l = o.getClientRects()
        for (let a = 0; a < l.length; a++) {
          const c = l[a]
          if (Tr(e, c)) return js(o, e, c)
        }
      }
      if ((s = (s + 1) % r) == i) break
    }
  return n
}
function Ba(n, e) {
  let t = n.dom.ownerDocument,
    r,
    i = 0,
    s = Ma(t, e.left, e.top)
  s && ({ node: r, offset: i } = s)
  let o = (n.root.elementFromPoint ? n.root : t).elementFromPoint(e.left, e.top),
    l
  if (!o || !n.dom.contains(o)) {
    const c = n.dom.getBoundingClientRect()
    if (!Tr(e, c) || ((o = js(n.dom, e, c)), !o)) return null
  }
  if (J) for (let c = o; r && c; c = at(c)) c.draggable && (r = void 0)
  if (((o = Aa(o, e)), r)) {
    if (_ && x(r) && ((i = Math.min(i, r.childNodes.length)), i < r.childNodes.length)) {
      let f = r.childNodes[i],
        h
      f.nodeName == 'IMG' && (h = f.getBoundingClientRect()).right <= e.left && h.bottom > e.top && i++
    }
    let c
    Nn &&
      i &&
      x(r) &&
      x((c = r.childNodes[i - 1])) &&
      c.contentEditable == 'false' &&
      c.getBoundingClientRect().top >= e.top &&
      i--,
      r == n.dom && i == r.childNodes.length - 1 && x(r.lastChild) && e.top > r.lastChild.getBoundingClientRect().bottom
        ? (l = n.state.doc.content.size)
        : (i == 0 || !x(r) || r.childNodes[i - 1].nodeName != 'BR') && (l = Ra(n, r, i, e))
  }
  l == null && (l = Ia(n, o, e))
  const a = n.docView.nearestDesc(o, !0)
  return { pos: l, inside: a ? a.posAtStart - a.border : -1 }
}
function ur(n) {
  return n.top < n.bottom || n.left < n.right
}
function Me(n, e) {
  const t = n.getClientRects()
  if (t.length) {
    const r = t[e < 0 ? 0 : t.length - 1]
    if (ur(r)) return r
  }
  return Array.prototype.find.call(t, ur) || n.getBoundingClientRect()
}
var Pa = /[\u0590-\u05f4\u0600-\u06ff\u0700-\u08ac]/
function _s(n, e, t) {
  const { node: r, offset: i, atom: s } = n.docView.domFromPos(e, t < 0 ? -1 : 1),
    o = Nn || _
  if (I(r))
    if (o && (Pa.test(r.nodeValue) || (t < 0 ? !i : i == r.nodeValue.length))) {
      const a = Me(pe(r, i, i), t)
      if (_ && i && /\s/.test(r.nodeValue[i - 1]) && i < r.nodeValue.length) {
        const c = Me(pe(r, i - 1, i - 1), -1)
        if (c.top == a.top) {
          const f = Me(pe(r, i, i + 1), -1)
          if (f.top != a.top) return Dt(f, f.left < c.left)
        }
      }
      return a
    } else {
      let a = i,
        c = i,
        f = t < 0 ? 1 : -1
      return (
        t < 0 && !i ? (c++, (f = -1)) : t >= 0 && i == r.nodeValue.length ? (a--, (f = 1)) : t < 0 ? a-- : c++,
        Dt(Me(pe(r, a, c), f), f < 0)
      )
    }
  if (!n.state.doc.resolve(e - (s || 0)).parent.inlineContent) {
    if (s == null && i && (t < 0 || i == $(r))) {
      const a = r.childNodes[i - 1]
      if (x(a)) return ir(a.getBoundingClientRect(), !1)
    }
    if (s == null && i < $(r)) {
      const a = r.childNodes[i]
      if (x(a)) return ir(a.getBoundingClientRect(), !0)
    }
    return ir(r.getBoundingClientRect(), t >= 0)
  }
  if (s == null && i && (t < 0 || i == $(r))) {
    const a = r.childNodes[i - 1],
      c = I(a) ? pe(a, $(a) - (o ? 0 : 1)) : x(a) && (a.nodeName != 'BR' || !a.nextSibling) ? a : null
    if (c) return Dt(Me(c, 1), !1)
  }
  if (s == null && i < $(r)) {
    let a = r.childNodes[i]
    for (; a.pmViewDesc && a.pmViewDesc.ignoreForCoords; ) a = a.nextSibling
    const c = a ? (I(a) ? pe(a, 0, o ? 0 : 1) : x(a) ? a : null) : null
    if (c) return Dt(Me(c, -1), !0)
  }
  return Dt(Me(I(r) ? pe(r) : r, -t), t >= 0)
}
function Dt(n, e) {
  if (n.width == 0) return n
  const t = e ? n.left : n.right
  return { top: n.top, bottom: n.bottom, left: t, right: t }
}
function ir(n, e) {
  if (n.height == 0) return n
  const t = e ? n.top : n.bottom
  return { top: t, bottom: t, left: n.left, right: n.right }
}
function Gs(n, e, t) {
  const r = n.state,
    i = n.root.activeElement
  r != e && n.updateState(e), i != n.dom && n.focus()
  try {
    return t()
  } finally {
    r != e && n.updateState(r), i != n.dom && i && i.focus()
  }
}
function za(n, e, t) {
  const r = e.selection,
    i = t == 'up' ? r.$from : r.$to
  return Gs(n, e, () => {
    let { node: s } = n.docView.domFromPos(i.pos, t == 'up' ? -1 : 1)
    for (;;) {
      const l = n.docView.nearestDesc(s, !0)
      if (!l) break
      if (l.node.isBlock) {
        s = l.contentDOM || l.dom
        break
      }
      s = l.dom.parentNode
    }
    const o = _s(n, i.pos, 1)
    for (let l = s.firstChild; l; l = l.nextSibling) {
      let a
      if (x(l)) a = l.getClientRects()
      else if (I(l)) a = pe(l, 0, l.nodeValue.length).getClientRects()
      else continue
      for (let c = 0; c < a.length; c++) {
        const f = a[c]
        if (
          f.bottom > f.top + 1 &&
          (t == 'up' ? o.top - f.top > (f.bottom - o.top) * 2 : f.bottom - o.bottom > (o.bottom - f.top) * 2)
        )
          return !1
      }
    }
    return !0
  })
}
var va = /[\u0590-\u08ac]/
function Fa(n, e, t) {
  const { $head: r } = e.selection
  if (!r.parent.isTextblock) return !1
  const i = r.parentOffset,
    s = !i,
    o = i == r.parent.content.size,
    l = n.domSelection()
  return l
    ? !va.test(r.parent.textContent) || !l.modify
      ? t == 'left' || t == 'backward'
        ? s
        : o
      : Gs(n, e, () => {
          const { focusNode: a, focusOffset: c, anchorNode: f, anchorOffset: h } = n.domSelectionRange(),
            u = l.caretBidiLevel
          l.modify('move', t, 'character')
          const d = r.depth ? n.docView.domAfterPos(r.before()) : n.dom,
            { focusNode: p, focusOffset: m } = n.domSelectionRange(),
            g = (p && !je(d, p)) || (a == p && c == m)
          try {
            l.collapse(f, h), a && (a != f || c != h) && l.extend && l.extend(a, c)
          } catch {}
          return (u != null && (l.caretBidiLevel = u), g)
        })
    : r.pos == r.start() || r.pos == r.end()
}
var ps = null,
  ms = null,
  gs = !1
function La(n, e, t) {
  return ps == e && ms == t ? gs : ((ps = e), (ms = t), (gs = t == 'up' || t == 'down' ? za(n, e, t) : Fa(n, e, t)))
}
var Q = 0,
  ys = 1,
  $e = 2,
  te = 3,
  _e = class {
    constructor(e, t, r, i) {
      ;(this.parent = e),
        (this.children = t),
        (this.dom = r),
        (this.contentDOM = i),
        (this.dirty = Q),
        (r.pmViewDesc = this)
    }
    matchesWidget(e) {
      return !1
    }
    matchesMark(e) {
      return !1
    }
    matchesNode(e, t, r) {
      return !1
    }
    matchesHack(e) {
      return !1
    }
    parseRule(e) {
      return null
    }
    stopEvent(e) {
      return !1
    }
    get size() {
      let e = 0
      for (let t = 0; t < this.children.length; t++) e += this.children[t].size
      return e
    }
    get border() {
      return 0
    }
    destroy() {
      ;(this.parent = void 0), this.dom.pmViewDesc == this && (this.dom.pmViewDesc = void 0)
      for (let e = 0; e < this.children.length; e++) this.children[e].destroy()
    }
    posBeforeChild(e) {
      for (let t = 0, r = this.posAtStart; ; t++) {
        const i = this.children[t]
        if (i == e) return r
        r += i.size
      }
    }
    get posBefore() {
      return this.parent.posBeforeChild(this)
    }
    get posAtStart() {
      return this.parent ? this.parent.posBeforeChild(this) + this.border : 0
    }
    get posAfter() {
      return this.posBefore + this.size
    }
    get posAtEnd() {
      return this.posAtStart + this.size - 2 * this.border
    }
    localPosFromDOM(e, t, r) {
      if (this.contentDOM && je(this.contentDOM, e))
        if (r < 0) {
          let s, o
          if (e == this.contentDOM) s = e.childNodes[t - 1]
          else {
            for (; e.parentNode != this.contentDOM; ) e = e.parentNode
            s = e.previousSibling
          }
          for (; s && !((o = s.pmViewDesc) && o.parent == this); ) s = s.previousSibling
          return s ? this.posBeforeChild(o) + o.size : this.posAtStart
        } else {
          let s, o
          if (e == this.contentDOM) s = e.childNodes[t]
          else {
            for (; e.parentNode != this.contentDOM; ) e = e.parentNode
            s = e.nextSibling
          }
          for (; s && !((o = s.pmViewDesc) && o.parent == this); ) s = s.nextSibling
          return s ? this.posBeforeChild(o) : this.posAtEnd
        }
      let i
      if (e == this.dom && this.contentDOM) i = t > v(this.contentDOM)
      else if (this.contentDOM && this.contentDOM != this.dom && this.dom.contains(this.contentDOM)) {
        const s = e.compareDocumentPosition(this.contentDOM)
        s & 16 ? (i = t > Array.from(e.childNodes).findIndex((o) => o.contains(this.contentDOM))) : (i = !(s & 4))
      } else if (this.dom.firstChild) {
        if (t == 0)
          for (let s = e; ; s = s.parentNode) {
            if (s == this.dom) {
              i = !1
              break
            }
            if (s.previousSibling) break
          }
        if (i == null && t == e.childNodes.length)
          for (let s = e; ; s = s.parentNode) {
            if (s == this.dom) {
              i = !0
              break
            }
            if (s.nextSibling) break
          }
      }
      return (i ?? r > 0) ? this.posAtEnd : this.posAtStart
    }
    nearestDesc(e, t = !1) {
      for (let r = !0, i = e; i; i = i.parentNode) {
        let s = this.getDesc(i),
          o
        if (s && (!t || s.node))
          if (r && (o = s.nodeDOM) && !(x(o) ? je(o, e) : o == e)) r = !1
          else return s
      }
    }
    getDesc(e) {
      const t = e.pmViewDesc
      for (let r = t; r; r = r.parent) if (r == this) return t
    }
    posFromDOM(e, t, r) {
      for (let i = e; i; i = i.parentNode) {
        const s = this.getDesc(i)
        if (s) return s.localPosFromDOM(e, t, r)
      }
      return -1
    }
    descAt(e) {
      for (let t = 0, r = 0; t < this.children.length; t++) {
        let i = this.children[t],
          s = r + i.size
        if (r == e && s != r) {
          for (; !i.border && i.children.length; )
            for (let o = 0; o < i.children.length; o++) {
              const l = i.children[o]
              if (l.size) {
                i = l
                break
              }
            }
          return i
        }
        if (e < s) return i.descAt(e - r - i.border)
        r = s
      }
    }
    domFromPos(e, t) {
      if (!this.contentDOM) return { node: this.dom, offset: 0, atom: e + 1 }
      let r = 0,
        i = 0
      for (let s = 0; r < this.children.length; r++) {
        const o = this.children[r],
          l = s + o.size
        if (l > e) {
          i = e - s
          break
        }
        s = l
      }
      if (i) return this.children[r].domFromPos(i - this.children[r].border, t)
      for (; r > 0; r--) {
        const s = this.children[r - 1]
        if (s.size || !(s instanceof gn || (s instanceof pn && s.side >= 0))) break
      }
      if (t <= 0) {
        let s,
          o = !0
        for (; (s = r ? this.children[r - 1] : null), !(!s || s.dom.parentNode == this.contentDOM); r--, o = !1);
        return s && t && o && !s.border && !s.domAtom
          ? s.domFromPos(s.size, t)
          : { node: this.contentDOM, offset: s ? v(s.dom) + 1 : 0 }
      } else {
        let s,
          o = !0
        for (
          ;
          (s = r < this.children.length ? this.children[r] : null), !(!s || s.dom.parentNode == this.contentDOM);
          r++, o = !1
        );
        return s && o && !s.border && !s.domAtom
          ? s.domFromPos(0, t)
          : { node: this.contentDOM, offset: s ? v(s.dom) : this.contentDOM.childNodes.length }
      }
    }
    parseRange(e, t, r = 0) {
      if (this.children.length == 0)
        return { node: this.contentDOM, from: e, to: t, fromOffset: 0, toOffset: this.contentDOM.childNodes.length }
      let i = -1,
        s = -1
      for (let o = r, l = 0; ; l++) {
        const a = this.children[l],
          c = o + a.size
        if (i == -1 && e <= c) {
          const f = o + a.border
          if (e >= f && t <= c - a.border && a.node && a.contentDOM && this.contentDOM.contains(a.contentDOM))
            return a.parseRange(e, t, f)
          e = o
          for (let h = l; h > 0; h--) {
            const u = this.children[h - 1]
            if (u.size && u.dom.parentNode == this.contentDOM && !u.emptyChildAt(1)) {
              i = v(u.dom) + 1
              break
            }
            e -= u.size
          }
          i == -1 && (i = 0)
        }
        if (i > -1 && (c > t || l == this.children.length - 1)) {
          t = c
          for (let f = l + 1; f < this.children.length; f++) {
            const h = this.children[f]
            if (h.size && h.dom.parentNode == this.contentDOM && !h.emptyChildAt(-1)) {
              s = v(h.dom)
              break
            }
            t += h.size
          }
          s == -1 && (s = this.contentDOM.childNodes.length)
          break
        }
        o = c
      }
      return { node: this.contentDOM, from: e, to: t, fromOffset: i, toOffset: s }
    }
    emptyChildAt(e) {
      if (this.border || !this.contentDOM || !this.children.length) return !1
      const t = this.children[e < 0 ? 0 : this.children.length - 1]
      return t.size == 0 || t.emptyChildAt(e)
    }
    domAfterPos(e) {
      const { node: t, offset: r } = this.domFromPos(e, 0)
      if (!x(t) || r == t.childNodes.length) throw new RangeError('No node after pos ' + e)
      return t.childNodes[r]
    }
    setSelection(e, t, r, i = !1) {
      const s = Math.min(e, t),
        o = Math.max(e, t)
      for (let d = 0, p = 0; d < this.children.length; d++) {
        const m = this.children[d],
          g = p + m.size
        if (s > p && o < g) return m.setSelection(e - p - m.border, t - p - m.border, r, i)
        p = g
      }
      let l = this.domFromPos(e, e ? -1 : 1),
        a = t == e ? l : this.domFromPos(t, t ? -1 : 1),
        c = r.root.getSelection(),
        f = r.domSelectionRange(),
        h = !1
      if ((_ || J) && e == t) {
        const { node: d, offset: p } = l
        if (I(d)) {
          if (
            ((h = !!(
              p &&
              d.nodeValue[p - 1] ==
                `
`
            )),
            h && p == d.nodeValue.length)
          )
            for (let m = d, g; m; m = m.parentNode) {
              if ((g = m.nextSibling)) {
                g.nodeName == 'BR' && (l = a = { node: g.parentNode, offset: v(g) + 1 })
                break
              }
              const k = m.pmViewDesc
              if (k && k.node && k.node.isBlock) break
            }
        } else {
          const m = d.childNodes[p - 1]
          h = m && (m.nodeName == 'BR' || m.contentEditable == 'false')
        }
      }
      if (_ && f.focusNode && f.focusNode != a.node && x(f.focusNode)) {
        const d = f.focusNode.childNodes[f.focusOffset]
        d && d.contentEditable == 'false' && (i = !0)
      }
      if (
        !(i || (h && J)) &&
        Ue(l.node, l.offset, f.anchorNode, f.anchorOffset) &&
        Ue(a.node, a.offset, f.focusNode, f.focusOffset)
      )
        return
      let u = !1
      if ((c.extend || e == t) && !(h && _)) {
        c.collapse(l.node, l.offset)
        try {
          e != t && c.extend(a.node, a.offset), (u = !0)
        } catch {}
      }
      if (!u) {
        if (e > t) {
          const p = l
          ;(l = a), (a = p)
        }
        const d = document.createRange()
        d.setEnd(a.node, a.offset), d.setStart(l.node, l.offset), c.removeAllRanges(), c.addRange(d)
      }
    }
    ignoreMutation(e) {
      return !this.contentDOM && e.type != 'selection'
    }
    get contentLost() {
      return this.contentDOM && this.contentDOM != this.dom && !this.dom.contains(this.contentDOM)
    }
    markDirty(e, t) {
      for (let r = 0, i = 0; i < this.children.length; i++) {
        const s = this.children[i],
          o = r + s.size
        if (r == o ? e <= o && t >= r : e < o && t > r) {
          const l = r + s.border,
            a = o - s.border
          if (e >= l && t <= a) {
            ;(this.dirty = e == r || t == o ? $e : ys),
              e == l && t == a && (s.contentLost || s.dom.parentNode != this.contentDOM)
                ? (s.dirty = te)
                : s.markDirty(e - l, t - l)
            return
          } else s.dirty = s.dom == s.contentDOM && s.dom.parentNode == this.contentDOM && !s.children.length ? $e : te
        }
        r = o
      }
      this.dirty = $e
    }
    markParentsDirty() {
      let e = 1
      for (let t = this.parent; t; t = t.parent, e++) {
        const r = e == 1 ? $e : ys
        t.dirty < r && (t.dirty = r)
      }
    }
    get domAtom() {
      return !1
    }
    get ignoreForCoords() {
      return !1
    }
    get ignoreForSelection() {
      return !1
    }
    isText(e) {
      return !1
    }
  },
  pn = class extends _e {
    constructor(e, t, r, i) {
      let s,
        o = t.type.toDOM
      if (
        (typeof o == 'function' &&
          (o = o(r, () => {
            if (!s) return i
            if (s.parent) return s.parent.posBeforeChild(s)
          })),
        !t.type.spec.raw)
      ) {
        const l = x(o) ? o : document.createElement('span')
        l != o && (l.appendChild(o), (o = l)),
          l.hasAttribute('contenteditable') || (l.contentEditable = 'false'),
          l.classList.add('ProseMirror-widget')
      }
      super(e, [], o, null), (this.widget = t), (this.widget = t), (s = this)
    }
    matchesWidget(e) {
      return this.dirty == Q && e.type.eq(this.widget.type)
    }
    parseRule() {
      return { ignore: !0 }
    }
    stopEvent(e) {
      const t = this.widget.spec.stopEvent
      return t ? t(e) : !1
    }
    ignoreMutation(e) {
      return e.type != 'selection' || this.widget.spec.ignoreSelection
    }
    destroy() {
      this.widget.type.destroy(this.dom), super.destroy()
    }
    get domAtom() {
      return !0
    }
    get ignoreForSelection() {
      return !!this.widget.type.spec.relaxedSide
    }
    get side() {
      return this.widget.type.side
    }
  },
  dr = class extends _e {
    constructor(e, t, r, i) {
      super(e, [], t, null), (this.textDOM = r), (this.text = i)
    }
    get size() {
      return this.text.length
    }
    localPosFromDOM(e, t) {
      return e != this.textDOM ? this.posAtStart + (t ? this.size : 0) : this.posAtStart + t
    }
    domFromPos(e) {
      return { node: this.textDOM, offset: e }
    }
    ignoreMutation(e) {
      return e.type === 'characterData' && e.target.nodeValue == e.oldValue
    }
  },
  We = class n extends _e {
    constructor(e, t, r, i, s) {
      super(e, [], r, i), (this.mark = t), (this.spec = s)
    }
    static create(e, t, r, i) {
      let s = i.nodeViews[t.type.name],
        o = s && s(t, i, r)
      return (
        (!o || !o.dom) && (o = ce.renderSpec(document, t.type.spec.toDOM(t, r), null, t.attrs)),
        new n(e, t, o.dom, o.contentDOM || o.dom, o)
      )
    }
    parseRule() {
      return this.dirty & te || this.mark.type.spec.reparseInView
        ? null
        : { mark: this.mark.type.name, attrs: this.mark.attrs, contentElement: this.contentDOM }
    }
    matchesMark(e) {
      return this.dirty != te && this.mark.eq(e)
    }
    markDirty(e, t) {
      if ((super.markDirty(e, t), this.dirty != Q)) {
        let r = this.parent
        for (; !r.node; ) r = r.parent
        r.dirty < this.dirty && (r.dirty = this.dirty), (this.dirty = Q)
      }
    }
    slice(e, t, r) {
      let i = n.create(this.parent, this.mark, !0, r),
        s = this.children,
        o = this.size
      t < o && (s = yr(s, t, o, r)), e > 0 && (s = yr(s, 0, e, r))
      for (let l = 0; l < s.length; l++) s[l].parent = i
      return ((i.children = s), i)
    }
    ignoreMutation(e) {
      return this.spec.ignoreMutation ? this.spec.ignoreMutation(e) : super.ignoreMutation(e)
    }
    destroy() {
      this.spec.destroy && this.spec.destroy(), super.destroy()
    }
  },
  we = class n extends _e {
    constructor(e, t, r, i, s, o, l) {
      super(e, [], s, o), (this.node = t), (this.outerDeco = r), (this.innerDeco = i), (this.nodeDOM = l)
    }
    static create(e, t, r, i, s, o) {
      let l = s.nodeViews[t.type.name],
        a,
        c =
          l &&
          l(
            t,
            s,
            () => {
              if (!a) return o
              if (a.parent) return a.parent.posBeforeChild(a)
            },
            r,
            i,
          ),
        f = c && c.dom,
        h = c && c.contentDOM
      if (t.isText) {
        if (!f) f = document.createTextNode(t.text)
        else if (!I(f)) throw new RangeError('Text must be rendered as a DOM text node')
      } else f || ({ dom: f, contentDOM: h } = ce.renderSpec(document, t.type.spec.toDOM(t), null, t.attrs))
      !h &&
        !t.isText &&
        f.nodeName != 'BR' &&
        (f.hasAttribute('contenteditable') || (f.contentEditable = 'false'),
        t.type.spec.draggable && (f.draggable = !0))
      const u = f
      return (
        (f = Qs(f, r, t)),
        c
          ? (a = new pr(e, t, r, i, f, h || null, u, c))
          : t.isText
            ? new mn(e, t, r, i, f, u)
            : new n(e, t, r, i, f, h || null, u)
      )
    }
    parseRule(e) {
      if (this.node.type.spec.reparseInView) return null
      const t = { node: this.node.type.name, attrs: this.node.attrs }
      if ((this.node.type.whitespace == 'pre' && (t.preserveWhitespace = 'full'), !this.contentDOM))
        t.getContent = () => this.node.content
      else if (!this.contentLost) t.contentElement = this.contentDOM
      else {
        for (let r = this.children.length - 1; r >= 0; r--) {
          const i = this.children[r]
          if (this.dom.contains(i.dom.parentNode)) {
            t.contentElement = i.dom.parentNode
            break
          }
        }
        if (!t.contentElement) {
          const r = e && e.find((i) => x(i) && e.indexOf(i.parentNode) < 0 && this.dom.contains(i))
          r ? (t.contentElement = r) : (t.getContent = () => y.empty)
        }
      }
      return t
    }
    matchesNode(e, t, r) {
      return this.dirty == Q && e.eq(this.node) && yn(t, this.outerDeco) && r.eq(this.innerDeco)
    }
    get size() {
      return this.node.nodeSize
    }
    get border() {
      return this.node.isLeaf ? 0 : 1
    }
    updateChildren(e, t) {
      let r = this.node.inlineContent,
        i = t,
        s = e.composing ? this.localCompositionInfo(e, t) : null,
        o = s && s.pos > -1 ? s : null,
        l = s && s.pos < 0,
        a = new gr(this, o && o.node, e),
        c = this.node.inlineContent,
        f = c && this.node.isBlock
      Wa(
        this.node,
        this.innerDeco,
        (h, u, d) => {
          h.spec.marks
            ? a.syncToMarks(h.spec.marks, r, e, u)
            : h.type.side >= 0 &&
              !d &&
              a.syncToMarks(u == this.node.childCount ? C.none : this.node.child(u).marks, r, e, u),
            a.placeWidget(h, e, i)
        },
        (h, u, d, p) => {
          a.syncToMarks(h.marks, r, e, p), f && h.isAtom && !h.isText && a.addHackNode('IMG', a.top)
          let m
          a.findNodeMatch(h, u, d, p) ||
            (l &&
              e.state.selection.from > i &&
              e.state.selection.to < i + h.nodeSize &&
              (m = a.findIndexWithChild(s.node)) > -1 &&
              a.updateNodeAt(h, u, d, m, e)) ||
            a.updateNextNode(h, u, d, e, p, i) ||
            a.addNode(h, u, d, e, i),
            (i += h.nodeSize),
            c && (f = h.isAtom && !h.isText)
        },
      ),
        a.syncToMarks([], r, e, 0),
        this.node.isTextblock && a.addTextblockHacks(),
        a.destroyRest(),
        (a.changed || this.dirty == $e) &&
          (o && this.protectLocalComposition(e, o), Ys(this.contentDOM, this.children, e), ct && qa(this.dom))
    }
    localCompositionInfo(e, t) {
      const { from: r, to: i } = e.state.selection
      if (!(e.state.selection instanceof O) || r < t || i > t + this.node.content.size) return null
      const s = e.input.compositionNode
      if (!s || !this.dom.contains(s.parentNode)) return null
      if (this.node.inlineContent) {
        const o = s.nodeValue,
          l = Ha(this.node.content, o, r - t, i - t)
        return l < 0 ? null : { node: s, pos: l, text: o }
      } else return { node: s, pos: -1, text: '' }
    }
    protectLocalComposition(e, { node: t, pos: r, text: i }) {
      if (this.getDesc(t)) return
      let s = t
      for (; s.parentNode != this.contentDOM; s = s.parentNode) {
        for (; s.previousSibling; ) s.parentNode.removeChild(s.previousSibling)
        for (; s.nextSibling; ) s.parentNode.removeChild(s.nextSibling)
        s.pmViewDesc && (s.pmViewDesc = void 0)
      }
      const o = new dr(this, s, t, i)
      e.input.compositionNodes.push(o), (this.children = yr(this.children, r, r + i.length, e, o))
    }
    update(e, t, r, i) {
      return this.dirty == te || !e.sameMarkup(this.node) ? !1 : (this.updateInner(e, t, r, i), !0)
    }
    updateInner(e, t, r, i) {
      this.updateOuterDeco(t),
        (this.node = e),
        (this.innerDeco = r),
        this.contentDOM && this.updateChildren(i, this.posAtStart),
        (this.dirty = Q)
    }
    updateOuterDeco(e) {
      if (yn(e, this.outerDeco)) return
      const t = !x(this.nodeDOM),
        r = this.dom
      ;(this.dom = Xs(this.dom, this.nodeDOM, mr(this.outerDeco, this.node, t), mr(e, this.node, t))),
        this.dom != r && ((r.pmViewDesc = void 0), (this.dom.pmViewDesc = this)),
        (this.outerDeco = e)
    }
    selectNode() {
      x(this.nodeDOM) &&
        (this.nodeDOM.classList.add('ProseMirror-selectednode'),
        (this.contentDOM || !this.node.type.spec.draggable) && (this.nodeDOM.draggable = !0))
    }
    deselectNode() {
      x(this.nodeDOM) &&
        (this.nodeDOM.classList.remove('ProseMirror-selectednode'),
        (this.contentDOM || !this.node.type.spec.draggable) && this.nodeDOM.removeAttribute('draggable'))
    }
    get domAtom() {
      return this.node.isAtom
    }
  }
function bs(n, e, t, r, i) {
  Qs(r, e, n)
  const s = new we(void 0, n, e, t, r, r, r)
  return (s.contentDOM && s.updateChildren(i, 0), s)
}
var mn = class n extends we {
    constructor(e, t, r, i, s, o) {
      super(e, t, r, i, s, null, o)
    }
    parseRule() {
      let e = this.nodeDOM.parentNode
      for (; e && e != this.dom && !e.pmIsDeco; ) e = e.parentNode
      return { skip: e || !0 }
    }
    update(e, t, r, i) {
      return this.dirty == te || (this.dirty != Q && !this.inParent()) || !e.sameMarkup(this.node)
        ? !1
        : (this.updateOuterDeco(t),
          (this.dirty != Q || e.text != this.node.text) &&
            e.text != this.nodeDOM.nodeValue &&
            ((this.nodeDOM.nodeValue = e.text), i.trackWrites == this.nodeDOM && (i.trackWrites = null)),
          (this.node = e),
          (this.dirty = Q),
          !0)
    }
    inParent() {
      const e = this.parent.contentDOM
      for (let t = this.nodeDOM; t; t = t.parentNode) if (t == e) return !0
      return !1
    }
    domFromPos(e) {
      return { node: this.nodeDOM, offset: e }
    }
    localPosFromDOM(e, t, r) {
      return e == this.nodeDOM ? this.posAtStart + Math.min(t, this.node.text.length) : super.localPosFromDOM(e, t, r)
    }
    ignoreMutation(e) {
      return e.type != 'characterData' && e.type != 'selection'
    }
    slice(e, t, r) {
      const i = this.node.cut(e, t),
        s = document.createTextNode(i.text)
      return new n(this.parent, i, this.outerDeco, this.innerDeco, s, s)
    }
    markDirty(e, t) {
      super.markDirty(e, t),
        this.dom != this.nodeDOM && (e == 0 || t == this.nodeDOM.nodeValue.length) && (this.dirty = te)
    }
    get domAtom() {
      return !1
    }
    isText(e) {
      return this.node.text == e
    }
  },
  gn = class extends _e {
    parseRule() {
      return { ignore: !0 }
    }
    matchesHack(e) {
      return this.dirty == Q && this.dom.nodeName == e
    }
    get domAtom() {
      return !0
    }
    get ignoreForCoords() {
      return this.dom.nodeName == 'IMG'
    }
  },
  pr = class extends we {
    constructor(e, t, r, i, s, o, l, a) {
      super(e, t, r, i, s, o, l), (this.spec = a)
    }
    update(e, t, r, i) {
      if (this.dirty == te) return !1
      if (this.spec.update && (this.node.type == e.type || this.spec.multiType)) {
        const s = this.spec.update(e, t, r)
        return (s && this.updateInner(e, t, r, i), s)
      } else return !this.contentDOM && !e.isLeaf ? !1 : super.update(e, t, r, i)
    }
    selectNode() {
      this.spec.selectNode ? this.spec.selectNode() : super.selectNode()
    }
    deselectNode() {
      this.spec.deselectNode ? this.spec.deselectNode() : super.deselectNode()
    }
    setSelection(e, t, r, i) {
      this.spec.setSelection ? this.spec.setSelection(e, t, r.root) : super.setSelection(e, t, r, i)
    }
    destroy() {
      this.spec.destroy && this.spec.destroy(), super.destroy()
    }
    stopEvent(e) {
      return this.spec.stopEvent ? this.spec.stopEvent(e) : !1
    }
    ignoreMutation(e) {
      return this.spec.ignoreMutation ? this.spec.ignoreMutation(e) : super.ignoreMutation(e)
    }
  }
function Ys(n, e, t) {
  let r = n.firstChild,
    i = !1
  for (let s = 0; s < e.length; s++) {
    const o = e[s],
      l = o.dom
    if (l.parentNode == n) {
      for (; l != r; ) (r = ks(r)), (i = !0)
      r = r.nextSibling
    } else (i = !0), n.insertBefore(l, r)
    if (o instanceof We) {
      const a = r ? r.previousSibling : n.lastChild
      Ys(o.contentDOM, o.children, t), (r = a ? a.nextSibling : n.firstChild)
    }
  }
  for (; r; ) (r = ks(r)), (i = !0)
  i && t.trackWrites == n && (t.trackWrites = null)
}
var Et = function (n) {
  n && (this.nodeName = n)
}
Et.prototype = Object.create(null)
var Je = [new Et()]
function mr(n, e, t) {
  if (n.length == 0) return Je
  let r = t ? Je[0] : new Et(),
    i = [r]
  for (let s = 0; s < n.length; s++) {
    const o = n[s].type.attrs
    if (o) {
      o.nodeName && i.push((r = new Et(o.nodeName)))
      for (const l in o) {
        const a = o[l]
        a != null &&
          (t && i.length == 1 && i.push((r = new Et(e.isInline ? 'span' : 'div'))),
          l == 'class'
            ? (r.class = (r.class ? r.class + ' ' : '') + a)
            : l == 'style'
              ? (r.style = (r.style ? r.style + ';' : '') + a)
              : l != 'nodeName' && (r[l] = a))
      }
    }
  }
  return i
}
function Xs(n, e, t, r) {
  if (t == Je && r == Je) return e
  let i = e
  for (let s = 0; s < r.length; s++) {
    let o = r[s],
      l = t[s]
    if (s) {
      let a
      ;(l && l.nodeName == o.nodeName && i != n && (a = i.parentNode) && a.nodeName.toLowerCase() == o.nodeName) ||
        ((a = document.createElement(o.nodeName)), (a.pmIsDeco = !0), a.appendChild(i), (l = Je[0])),
        (i = a)
    }
    Va(i, l || Je[0], o)
  }
  return i
}
function Va(n, e, t) {
  for (const r in e) r != 'class' && r != 'style' && r != 'nodeName' && !(r in t) && n.removeAttribute(r)
  for (const r in t) r != 'class' && r != 'style' && r != 'nodeName' && t[r] != e[r] && n.setAttribute(r, t[r])
  if (e.class != t.class) {
    const r = e.class ? e.class.split(' ').filter(Boolean) : [],
      i = t.class ? t.class.split(' ').filter(Boolean) : []
    for (let s = 0; s < r.length; s++) i.indexOf(r[s]) == -1 && n.classList.remove(r[s])
    for (let s = 0; s < i.length; s++) r.indexOf(i[s]) == -1 && n.classList.add(i[s])
    n.classList.length == 0 && n.removeAttribute('class')
  }
  if (e.style != t.style) {
    if (e.style) {
      let r = /\s*([\w\-\xa1-\uffff]+)\s*:(?:"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|\(.*?\)|[^;])*/g,
        i
      for (; (i = r.exec(e.style)); ) n.style.removeProperty(i[1])
    }
    t.style && (n.style.cssText += t.style)
  }
}
function Qs(n, e, t) {
  return Xs(n, n, Je, mr(e, t, !x(n)))
}
function yn(n, e) {
  if (n.length != e.length) return !1
  for (let t = 0; t < n.length; t++) if (!n[t].type.eq(e[t].type)) return !1
  return !0
}
function ks(n) {
  const e = n.nextSibling
  return (n.parentNode.removeChild(n), e)
}
var gr = class {
  constructor(e, t, r) {
    ;(this.lock = t),
      (this.view = r),
      (this.index = 0),
      (this.stack = []),
      (this.changed = !1),
      (this.top = e),
      (this.preMatch = $a(e.node.content, e))
  }
  destroyBetween(e, t) {
    if (e != t) {
      for (let r = e; r < t; r++) this.top.children[r].destroy()
      this.top.children.splice(e, t - e), (this.changed = !0)
    }
  }
  destroyRest() {
    this.destroyBetween(this.index, this.top.children.length)
  }
  syncToMarks(e, t, r, i) {
    let s = 0,
      o = this.stack.length >> 1,
      l = Math.min(o, e.length)
    for (
      ;
      s < l && (s == o - 1 ? this.top : this.stack[(s + 1) << 1]).matchesMark(e[s]) && e[s].type.spec.spanning !== !1;
    )
      s++
    for (; s < o; )
      this.destroyRest(), (this.top.dirty = Q), (this.index = this.stack.pop()), (this.top = this.stack.pop()), o--
    for (; o < e.length; ) {
      this.stack.push(this.top, this.index + 1)
      let a = -1,
        c = this.top.children.length
      i < this.preMatch.index && (c = Math.min(this.index + 3, c))
      for (let f = this.index; f < c; f++) {
        const h = this.top.children[f]
        if (h.matchesMark(e[o]) && !this.isLocked(h.dom)) {
          a = f
          break
        }
      }
      if (a < 0 && this.index < this.top.children.length) {
        const f = this.top.children[this.index]
        f instanceof We &&
          f.dirty != te &&
          f.mark.type == e[o].type &&
          f.spec.update &&
          !this.isLocked(f.dom) &&
          f.spec.update(e[o]) &&
          ((f.mark = e[o]), (a = this.index), (this.changed = !0))
      }
      if (a > -1)
        a > this.index && ((this.changed = !0), this.destroyBetween(this.index, a)),
          (this.top = this.top.children[this.index])
      else {
        const f = We.create(this.top, e[o], t, r)
        this.top.children.splice(this.index, 0, f), (this.top = f), (this.changed = !0)
      }
      ;(this.index = 0), o++
    }
  }
  findNodeMatch(e, t, r, i) {
    let s = -1,
      o
    if (
      i >= this.preMatch.index &&
      (o = this.preMatch.matches[i - this.preMatch.index]).parent == this.top &&
      o.matchesNode(e, t, r)
    )
      s = this.top.children.indexOf(o, this.index)
    else
      for (let l = this.index, a = Math.min(this.top.children.length, l + 5); l < a; l++) {
        const c = this.top.children[l]
        if (c.matchesNode(e, t, r) && !this.preMatch.matched.has(c)) {
          s = l
          break
        }
      }
    return s < 0 ? !1 : (this.destroyBetween(this.index, s), this.index++, !0)
  }
  updateNodeAt(e, t, r, i, s) {
    const o = this.top.children[i]
    return (
      o.dirty == te && o.dom == o.contentDOM && (o.dirty = $e),
      o.update(e, t, r, s) ? (this.destroyBetween(this.index, i), this.index++, !0) : !1
    )
  }
  findIndexWithChild(e) {
    for (;;) {
      const t = e.parentNode
      if (!t) return -1
      if (t == this.top.contentDOM) {
        const r = e.pmViewDesc
        if (r) {
          for (let i = this.index; i < this.top.children.length; i++) if (this.top.children[i] == r) return i
        }
        return -1
      }
      e = t
    }
  }
  updateNextNode(e, t, r, i, s, o) {
    for (let l = this.index; l < this.top.children.length; l++) {
      const a = this.top.children[l]
      if (a instanceof we) {
        const c = this.preMatch.matched.get(a)
        if (c != null && c != s) return !1
        let f = a.dom,
          h,
          u =
            this.isLocked(f) &&
            !(
              e.isText &&
              a.node &&
              a.node.isText &&
              a.nodeDOM.nodeValue == e.text &&
              a.dirty != te &&
              yn(t, a.outerDeco)
            )
        if (!u && a.update(e, t, r, i))
          return (this.destroyBetween(this.index, l), a.dom != f && (this.changed = !0), this.index++, !0)
        if (!u && (h = this.recreateWrapper(a, e, t, r, i, o)))
          return (
            this.destroyBetween(this.index, l),
            (this.top.children[this.index] = h),
            h.contentDOM && ((h.dirty = $e), h.updateChildren(i, o + 1), (h.dirty = Q)),
            (this.changed = !0),
            this.index++,
            !0
          )
        break
      }
    }
    return !1
  }
  recreateWrapper(e, t, r, i, s, o) {
    if (
      e.dirty ||
      t.isAtom ||
      !e.children.length ||
      !e.node.content.eq(t.content) ||
      !yn(r, e.outerDeco) ||
      !i.eq(e.innerDeco)
    )
      return null
    const l = we.create(this.top, t, r, i, s, o)
    if (l.contentDOM) {
      ;(l.children = e.children), (e.children = [])
      for (const a of l.children) a.parent = l
    }
    return (e.destroy(), l)
  }
  addNode(e, t, r, i, s) {
    const o = we.create(this.top, e, t, r, i, s)
    o.contentDOM && o.updateChildren(i, s + 1), this.top.children.splice(this.index++, 0, o), (this.changed = !0)
  }
  placeWidget(e, t, r) {
    const i = this.index < this.top.children.length ? this.top.children[this.index] : null
    if (i && i.matchesWidget(e) && (e == i.widget || !i.widget.type.toDOM.parentNode)) this.index++
    else {
      const s = new pn(this.top, e, t, r)
      this.top.children.splice(this.index++, 0, s), (this.changed = !0)
    }
  }
  addTextblockHacks() {
    let e = this.top.children[this.index - 1],
      t = this.top
    for (; e instanceof We; ) (t = e), (e = t.children[t.children.length - 1])
    ;(!e ||
      !(e instanceof mn) ||
      /\n$/.test(e.node.text) ||
      (this.view.requiresGeckoHackNode && /\s$/.test(e.node.text))) &&
      ((J || F) && e && e.dom.contentEditable == 'false' && this.addHackNode('IMG', t),
      this.addHackNode('BR', this.top))
  }
  addHackNode(e, t) {
    if (t == this.top && this.index < t.children.length && t.children[this.index].matchesHack(e)) this.index++
    else {
      const r = document.createElement(e)
      e == 'IMG' && ((r.className = 'ProseMirror-separator'), (r.alt = '')),
        e == 'BR' && (r.className = 'ProseMirror-trailingBreak')
      const i = new gn(this.top, [], r, null)
      t != this.top ? t.children.push(i) : t.children.splice(this.index++, 0, i), (this.changed = !0)
    }
  }
  isLocked(e) {
    return this.lock && (e == this.lock || (x(e) && e.contains(this.lock.parentNode)))
  }
}
function $a(n, e) {
  let t = e,
    r = t.children.length,
    i = n.childCount,
    s = new Map(),
    o = []
  e: for (; i > 0; ) {
    let l
    for (;;)
      if (r) {
        const c = t.children[r - 1]
        if (c instanceof We) (t = c), (r = c.children.length)
        else {
          ;(l = c), r--
          break
        }
      } else {
        if (t == e) break e
        ;(r = t.parent.children.indexOf(t)), (t = t.parent)
      }
    const a = l.node
    if (a) {
      if (a != n.child(i - 1)) break
      --i, s.set(l, i), o.push(l)
    }
  }
  return { index: i, matched: s, matches: o.reverse() }
}
function Ja(n, e) {
  return n.type.side - e.type.side
}
function Wa(n, e, t, r) {
  let i = e.locals(n),
    s = 0
  if (i.length == 0) {
    for (let c = 0; c < n.childCount; c++) {
      const f = n.child(c)
      r(f, i, e.forChild(s, f), c), (s += f.nodeSize)
    }
    return
  }
  let o = 0,
    l = [],
    a = null
  for (let c = 0; ; ) {
    let f, h
    for (; o < i.length && i[o].to == s; ) {
      const g = i[o++]
      g.widget && (f ? (h || (h = [f])).push(g) : (f = g))
    }
    if (f)
      if (h) {
        h.sort(Ja)
        for (let g = 0; g < h.length; g++) t(h[g], c, !!a)
      } else t(f, c, !!a)
    let u, d
    if (a) (d = -1), (u = a), (a = null)
    else if (c < n.childCount) (d = c), (u = n.child(c++))
    else break
    for (let g = 0; g < l.length; g++) l[g].to <= s && l.splice(g--, 1)
    for (; o < i.length && i[o].from <= s && i[o].to > s; ) l.push(i[o++])
    let p = s + u.nodeSize
    if (u.isText) {
      let g = p
      o < i.length && i[o].from < g && (g = i[o].from)
      for (let k = 0; k < l.length; k++) l[k].to < g && (g = l[k].to)
      g < p && ((a = u.cut(g - s)), (u = u.cut(0, g - s)), (p = g), (d = -1))
    } else for (; o < i.length && i[o].to < p; ) o++
    const m = u.isInline && !u.isLeaf ? l.filter((g) => !g.inline) : l.slice()
    r(u, m, e.forChild(s, u), d), (s = p)
  }
}
function qa(n) {
  if (n.nodeName == 'UL' || n.nodeName == 'OL') {
    const e = n.style.cssText
    ;(n.style.cssText = e + '; list-style: square !important'),
      window.getComputedStyle(n).listStyle,
      (n.style.cssText = e)
  }
}
function Ha(n, e, t, r) {
  for (let i = 0, s = 0; i < n.childCount && s <= r; ) {
    const o = n.child(i++),
      l = s
    if (((s += o.nodeSize), !o.isText)) continue
    let a = o.text
    for (; i < n.childCount; ) {
      const c = n.child(i++)
      if (((s += c.nodeSize), !c.isText)) break
      a += c.text
    }
    if (s >= t) {
      if (s >= r && a.slice(r - e.length - l, r - l) == e) return r - e.length
      const c = l < r ? a.lastIndexOf(e, r - l - 1) : -1
      if (c >= 0 && c + e.length + l >= t) return l + c
      if (t == r && a.length >= r + e.length - l && a.slice(r - l, r - l + e.length) == e) return r
    }
  }
  return -1
}
function yr(n, e, t, r, i) {
  const s = []
  for (let o = 0, l = 0; o < n.length; o++) {
    const a = n[o],
      c = l,
      f = (l += a.size)
    c >= t || f <= e
      ? s.push(a)
      : (c < e && s.push(a.slice(0, e - c, r)),
        i && (s.push(i), (i = void 0)),
        f > t && s.push(a.slice(t - c, a.size, r)))
  }
  return s
}
function Er(n, e = null) {
  const t = n.domSelectionRange(),
    r = n.state.doc
  if (!t.focusNode) return null
  let i = n.docView.nearestDesc(t.focusNode),
    s = i && i.size == 0,
    o = n.docView.posFromDOM(t.focusNode, t.focusOffset, 1)
  if (o < 0) return null
  let l = r.resolve(o),
    a,
    c
  if (On(t)) {
    for (a = o; i && !i.node; ) i = i.parent
    if (
      i &&
      i.node.isAtom &&
      S.isSelectable(i.node) &&
      i.parent &&
      !(i.node.isInline && ka(t.focusNode, t.focusOffset, i.dom))
    ) {
      const h = i.posBefore
      c = new S(o == h ? l : r.resolve(h))
    } else if (
      _ &&
      e == 'key' &&
      o > n.state.selection.to &&
      x(t.focusNode) &&
      t.focusOffset == t.focusNode.childNodes.length &&
      i &&
      i.posAtStart > n.state.selection.to
    )
      for (let h = t.focusNode; ; h = h.parentNode) {
        if (getComputedStyle(h).overflow != 'visible') {
          c = M.findFrom(r.resolve(i.posAtStart), 1)
          break
        }
        if (h == i.dom || h.nextSibling || !h.parentNode || !x(h.parentNode)) break
      }
  } else {
    if (t instanceof n.dom.ownerDocument.defaultView.Selection && t.rangeCount > 1) {
      let h = o,
        u = o
      for (let d = 0; d < t.rangeCount; d++) {
        const p = t.getRangeAt(d)
        ;(h = Math.min(h, n.docView.posFromDOM(p.startContainer, p.startOffset, 1))),
          (u = Math.max(u, n.docView.posFromDOM(p.endContainer, p.endOffset, -1)))
      }
      if (h < 0) return null
      ;([a, o] = u == n.state.selection.anchor ? [u, h] : [h, u]), (l = r.resolve(o))
    } else a = n.docView.posFromDOM(t.anchorNode, t.anchorOffset, 1)
    if (a < 0) return null
  }
  const f = r.resolve(a)
  if (!c) {
    const h = e == 'pointer' || (n.state.selection.head < l.pos && !s) ? 1 : -1
    c = Ar(n, f, l, h)
  }
  return c
}
function Zs(n) {
  return n.editable ? n.hasFocus() : to(n) && document.activeElement && document.activeElement.contains(n.dom)
}
function ye(n, e = !1) {
  const t = n.state.selection
  if ((eo(n, t), !Zs(n))) return
  const r = n.input.mouseDown
  if (!e && F && r) {
    const i = n.domSelectionRange(),
      s = n.domObserver.currentSelection
    if (
      i.anchorNode &&
      s.anchorNode &&
      Ue(i.anchorNode, i.anchorOffset, s.anchorNode, s.anchorOffset) &&
      r.delaySelUpdate()
    ) {
      n.domObserver.setCurSelection()
      return
    }
  }
  if ((n.domObserver.disconnectSelection(), n.cursorWrapper)) Ua(n)
  else {
    let { anchor: i, head: s } = t,
      o,
      l
    xs &&
      !(t instanceof O) &&
      (t.$from.parent.inlineContent || (o = Ss(n, t.from)),
      !t.empty && !t.$from.parent.inlineContent && (l = Ss(n, t.to))),
      n.docView.setSelection(i, s, n, e),
      xs && (o && Ms(o), l && Ms(l)),
      t.visible
        ? n.dom.classList.remove('ProseMirror-hideselection')
        : (n.dom.classList.add('ProseMirror-hideselection'), 'onselectionchange' in document && Ka(n))
  }
  n.domObserver.setCurSelection(), n.domObserver.connectSelection()
}
var xs = J || (F && Ws < 63)
function Ss(n, e) {
  const { node: t, offset: r } = n.docView.domFromPos(e, 0),
    i = r < t.childNodes.length ? t.childNodes[r] : null,
    s = r ? t.childNodes[r - 1] : null
  if (J && i && i.contentEditable == 'false') return sr(i)
  if ((!i || i.contentEditable == 'false') && (!s || s.contentEditable == 'false')) {
    if (i) return sr(i)
    if (s) return sr(s)
  }
}
function sr(n) {
  return ((n.contentEditable = 'true'), J && n.draggable && ((n.draggable = !1), (n.wasDraggable = !0)), n)
}
function Ms(n) {
  ;(n.contentEditable = 'false'), n.wasDraggable && ((n.draggable = !0), (n.wasDraggable = null))
}
function Ka(n) {
  const e = n.dom.ownerDocument
  e.removeEventListener('selectionchange', n.input.hideSelectionGuard)
  const t = n.domSelectionRange(),
    r = t.anchorNode,
    i = t.anchorOffset
  e.addEventListener(
    'selectionchange',
    (n.input.hideSelectionGuard = () => {
      ;(t.anchorNode != r || t.anchorOffset != i) &&
        (e.removeEventListener('selectionchange', n.input.hideSelectionGuard),
        setTimeout(() => {
          ;(!Zs(n) || n.state.selection.visible) && n.dom.classList.remove('ProseMirror-hideselection')
        }, 20))
    }),
  )
}
function Ua(n) {
  const e = n.domSelection()
  if (!e) return
  const t = n.cursorWrapper.dom,
    r = t.nodeName == 'IMG'
  r ? e.collapse(t.parentNode, v(t) + 1) : e.collapse(t, 0),
    !r && !n.state.selection.visible && U && Ne <= 11 && ((t.disabled = !0), (t.disabled = !1))
}
function eo(n, e) {
  if (e instanceof S) {
    const t = n.docView.descAt(e.from)
    t != n.lastSelectedViewDesc && (Cs(n), t && t.selectNode(), (n.lastSelectedViewDesc = t))
  } else Cs(n)
}
function Cs(n) {
  n.lastSelectedViewDesc &&
    (n.lastSelectedViewDesc.parent && n.lastSelectedViewDesc.deselectNode(), (n.lastSelectedViewDesc = void 0))
}
function Ar(n, e, t, r) {
  return n.someProp('createSelectionBetween', (i) => i(n, e, t)) || O.between(e, t, r)
}
function Os(n) {
  return n.editable && !n.hasFocus() ? !1 : to(n)
}
function to(n) {
  const e = n.domSelectionRange()
  if (!e.anchorNode) return !1
  try {
    return je(n.dom, e.anchorNode) && (n.editable || je(n.dom, e.focusNode))
  } catch {
    return !1
  }
}
function ja(n) {
  const e = n.docView.domFromPos(n.state.selection.anchor, 0),
    t = n.domSelectionRange()
  return Ue(e.node, e.offset, t.anchorNode, t.anchorOffset)
}
function br(n, e) {
  const { $anchor: t, $head: r } = n.selection,
    i = e > 0 ? t.max(r) : t.min(r),
    s = i.parent.inlineContent ? (i.depth ? n.doc.resolve(e > 0 ? i.after() : i.before()) : null) : i
  return s && M.findFrom(s, e)
}
function Ce(n, e) {
  return (n.dispatch(n.state.tr.setSelection(e).scrollIntoView()), !0)
}
function Ns(n, e, t) {
  const r = n.state.selection
  if (r instanceof O)
    if (t.indexOf('s') > -1) {
      const { $head: i } = r,
        s = i.textOffset ? null : e < 0 ? i.nodeBefore : i.nodeAfter
      if (!s || s.isText || !s.isLeaf) return !1
      const o = n.state.doc.resolve(i.pos + s.nodeSize * (e < 0 ? -1 : 1))
      return Ce(n, new O(r.$anchor, o))
    } else if (r.empty) {
      if (n.endOfTextblock(e > 0 ? 'forward' : 'backward')) {
        const i = br(n.state, e)
        return i && i instanceof S ? Ce(n, i) : !1
      } else if (!X || t.indexOf('m') < 0) {
        let i = r.$head,
          s = i.textOffset ? null : e < 0 ? i.nodeBefore : i.nodeAfter,
          o
        if (!s || s.isText) return !1
        const l = e < 0 ? i.pos - s.nodeSize : i.pos
        return s.isAtom || ((o = n.docView.descAt(l)) && !o.contentDOM)
          ? S.isSelectable(s)
            ? Ce(n, new S(e < 0 ? n.state.doc.resolve(i.pos - s.nodeSize) : i))
            : Ce(n, new O(n.state.doc.resolve(e < 0 ? l : l + s.nodeSize)))
          : !1
      }
    } else return !1
  else {
    if (r instanceof S && r.node.isInline) return Ce(n, new O(e > 0 ? r.$to : r.$from))
    {
      const i = br(n.state, e)
      return i ? Ce(n, i) : !1
    }
  }
}
function At(n, e) {
  const t = n.pmViewDesc
  return t ? t.size == 0 && (e < 0 || n.nextSibling || n.nodeName != 'BR') : x(n) && n.contentEditable == 'false'
}
function ot(n, e) {
  return e < 0 ? _a(n) : Ga(n)
}
function _a(n) {
  let e = n.domSelectionRange(),
    t = e.focusNode,
    r = e.focusOffset
  if (!t) return
  let i,
    s,
    o = !1
  for (_ && x(t) && r < $(t) && At(t.childNodes[r], -1) && (o = !0); ; )
    if (r > 0) {
      if (!x(t)) break
      const l = t.childNodes[r - 1]
      if (At(l, -1)) (i = t), (s = --r)
      else if (I(l)) (t = l), (r = t.nodeValue.length)
      else break
    } else {
      if (no(t)) break
      {
        let l = t.previousSibling
        for (; l && At(l, -1); ) (i = t.parentNode), (s = v(l)), (l = l.previousSibling)
        if (l) (t = l), (r = $(t))
        else {
          if (((t = t.parentNode), t == n.dom)) break
          r = 0
        }
      }
    }
  o ? kr(n, t, r) : i && kr(n, i, s)
}
function Ga(n) {
  let e = n.domSelectionRange(),
    t = e.focusNode,
    r = e.focusOffset
  if (!t) return
  let i = $(t),
    s,
    o
  for (;;)
    if (r < i) {
      if (!x(t)) break
      const l = t.childNodes[r]
      if (At(l, 1)) (s = t), (o = ++r)
      else break
    } else {
      if (no(t)) break
      {
        let l = t.nextSibling
        for (; l && At(l, 1); ) (s = l.parentNode), (o = v(l) + 1), (l = l.nextSibling)
        if (l) (t = l), (r = 0), (i = $(t))
        else {
          if (((t = t.parentNode), t == n.dom)) break
          r = i = 0
        }
      }
    }
  s && kr(n, s, o)
}
function no(n) {
  const e = n.pmViewDesc
  return e && e.node && e.node.isBlock
}
function Ya(n, e) {
  for (; n && e == n.childNodes.length && !vt(n); ) (e = v(n) + 1), (n = n.parentNode)
  for (; n && e < n.childNodes.length; ) {
    const t = n.childNodes[e]
    if (I(t)) return t
    if (x(t) && t.contentEditable == 'false') break
    ;(n = t), (e = 0)
  }
}
function Xa(n, e) {
  for (; n && !e && !vt(n); ) (e = v(n)), (n = n.parentNode)
  for (; n && e; ) {
    const t = n.childNodes[e - 1]
    if (I(t)) return t
    if (x(t) && t.contentEditable == 'false') break
    ;(n = t), (e = n.childNodes.length)
  }
}
function kr(n, e, t) {
  if (!I(e)) {
    let o, l
    ;(l = Ya(e, t)) ? ((e = l), (t = 0)) : (o = Xa(e, t)) && ((e = o), (t = o.nodeValue.length))
  }
  const r = n.domSelection(),
    i = n.domSelectionRange()
  if (!r) return
  On(i) ? r.collapse(e, t) : r.extend && (r.collapse(i.anchorNode, i.anchorOffset), r.extend(e, t)),
    n.domObserver.setCurSelection()
  const { state: s } = n
  setTimeout(() => {
    n.state == s && ye(n)
  }, 50)
}
function ws(n, e) {
  const t = n.state.doc.resolve(e)
  if (!(F || qs) && t.parent.inlineContent) {
    const s = n.coordsAtPos(e)
    if (e > t.start()) {
      const o = n.coordsAtPos(e - 1),
        l = (o.top + o.bottom) / 2
      if (l > s.top && l < s.bottom && Math.abs(o.left - s.left) > 1) return o.left < s.left ? 'ltr' : 'rtl'
    }
    if (e < t.end()) {
      const o = n.coordsAtPos(e + 1),
        l = (o.top + o.bottom) / 2
      if (l > s.top && l < s.bottom && Math.abs(o.left - s.left) > 1) return o.left > s.left ? 'ltr' : 'rtl'
    }
  }
  let r = n.dom
  for (let s = t.depth; s > 0; s--)
    if (t.node(s).isBlock) {
      r = n.nodeDOM(t.before(s)) || r
      break
    }
  return getComputedStyle(r).direction == 'rtl' ? 'rtl' : 'ltr'
}
function Ds(n, e, t) {
  const r = n.state.selection
  if ((r instanceof O && !r.empty) || t.indexOf('s') > -1 || (X && t.indexOf('m') > -1)) return !1
  const { $from: i, $to: s } = r
  if (!i.parent.inlineContent || n.endOfTextblock(e < 0 ? 'up' : 'down')) {
    const o = br(n.state, e)
    if (o && o instanceof S) return Ce(n, o)
  }
  if (!i.parent.inlineContent) {
    const o = e < 0 ? i : s,
      l = r instanceof j ? M.near(o, e) : M.findFrom(o, e)
    return l ? Ce(n, l) : !1
  }
  return !1
}
function Ts(n, e) {
  if (!(n.state.selection instanceof O)) return !0
  const { $head: t, $anchor: r, empty: i } = n.state.selection
  if (!t.sameParent(r)) return !0
  if (!i) return !1
  if (n.endOfTextblock(e > 0 ? 'forward' : 'backward')) return !0
  const s = !t.textOffset && (e < 0 ? t.nodeBefore : t.nodeAfter)
  if (s && !s.isText) {
    const o = n.state.tr
    return (e < 0 ? o.delete(t.pos - s.nodeSize, t.pos) : o.delete(t.pos, t.pos + s.nodeSize), n.dispatch(o), !0)
  }
  return !1
}
function Es(n, e, t) {
  n.domObserver.stop(), (e.contentEditable = t), n.domObserver.start()
}
function Qa(n) {
  if (!J || n.state.selection.$head.parentOffset > 0) return !1
  const { focusNode: e, focusOffset: t } = n.domSelectionRange()
  if (e && x(e) && t == 0 && e.firstChild && x(e.firstChild) && e.firstChild.contentEditable == 'false') {
    const r = e.firstChild
    Es(n, r, 'true'), setTimeout(() => Es(n, r, 'false'), 20)
  }
  return !1
}
function Za(n) {
  let e = ''
  return (n.ctrlKey && (e += 'c'), n.metaKey && (e += 'm'), n.altKey && (e += 'a'), n.shiftKey && (e += 's'), e)
}
function ec(n, e) {
  const t = e.keyCode,
    r = Za(e)
  if (t == 8 || (X && t == 72 && r == 'c')) return Ts(n, -1) || ot(n, -1)
  if ((t == 46 && !e.shiftKey) || (X && t == 68 && r == 'c')) return Ts(n, 1) || ot(n, 1)
  if (t == 13 || t == 27) return !0
  if (t == 37 || (X && t == 66 && r == 'c')) {
    const i = t == 37 ? (ws(n, n.state.selection.from) == 'ltr' ? -1 : 1) : -1
    return Ns(n, i, r) || ot(n, i)
  } else if (t == 39 || (X && t == 70 && r == 'c')) {
    const i = t == 39 ? (ws(n, n.state.selection.from) == 'ltr' ? 1 : -1) : 1
    return Ns(n, i, r) || ot(n, i)
  } else {
    if (t == 38 || (X && t == 80 && r == 'c')) return Ds(n, -1, r) || ot(n, -1)
    if (t == 40 || (X && t == 78 && r == 'c')) return Qa(n) || Ds(n, 1, r) || ot(n, 1)
    if (r == (X ? 'm' : 'c') && (t == 66 || t == 73 || t == 89 || t == 90)) return !0
  }
  return !1
}
function Ir(n, e) {
  n.someProp('transformCopied', (d) => {
    e = d(e, n)
  })
  let t = [],
    { content: r, openStart: i, openEnd: s } = e
  for (; i > 1 && s > 1 && r.childCount == 1 && r.firstChild.childCount == 1; ) {
    i--, s--
    const d = r.firstChild
    t.push(d.type.name, d.attrs != d.type.defaultAttrs ? d.attrs : null), (r = d.content)
  }
  const o = n.someProp('clipboardSerializer') || ce.fromSchema(n.state.schema),
    l = ao(),
    a = l.createElement('div')
  a.appendChild(o.serializeFragment(r, { document: l }))
  let c = a.firstChild,
    f,
    h = 0
  for (; c && x(c) && (f = lo[c.nodeName.toLowerCase()]); ) {
    for (let d = f.length - 1; d >= 0; d--) {
      const p = l.createElement(f[d])
      for (; a.firstChild; ) p.appendChild(a.firstChild)
      a.appendChild(p), h++
    }
    c = a.firstChild
  }
  c && x(c) && c.setAttribute('data-pm-slice', `${i} ${s}${h ? ` -${h}` : ''} ${JSON.stringify(t)}`)
  const u =
    n.someProp('clipboardTextSerializer', (d) => d(e, n)) ||
    e.content.textBetween(
      0,
      e.content.size,
      `

`,
    )
  return { dom: a, text: u, slice: e }
}
function ro(n, e, t, r, i) {
  let s = i.parent.type.spec.code,
    o,
    l
  if (!t && !e) return null
  const a = !!e && (r || s || !t)
  if (a) {
    if (
      (n.someProp('transformPastedText', (u) => {
        e = u(e, s || r, n)
      }),
      s)
    )
      return (
        (l = new b(
          y.from(
            n.state.schema.text(
              e.replace(
                /\r\n?/g,
                `
`,
              ),
            ),
          ),
          0,
          0,
        )),
        n.someProp('transformPasted', (u) => {
          l = u(l, n, !0)
        }),
        l
      )
    const h = n.someProp('clipboardTextParser', (u) => u(e, i, r, n))
    if (h) l = h
    else {
      const u = i.marks(),
        { schema: d } = n.state,
        p = ce.fromSchema(d)
      ;(o = document.createElement('div')),
        e.split(/(?:\r\n?|\n)+/).forEach((m) => {
          const g = o.appendChild(document.createElement('p'))
          m && g.appendChild(p.serializeNode(d.text(m, u)))
        })
    }
  } else
    n.someProp('transformPastedHTML', (h) => {
      t = h(t, n)
    }),
      (o = ic(t)),
      Nn && sc(o)
  const c = o && o.querySelector('[data-pm-slice]'),
    f = c && /^(\d+) (\d+)(?: -(\d+))? (.*)/.exec(c.getAttribute('data-pm-slice') || '')
  if (f && f[3])
    for (let h = +f[3]; h > 0; h--) {
      let u = o.firstChild
      for (; u && !x(u); ) u = u.nextSibling
      if (!u) break
      o = u
    }
  if (
    (l ||
      (l = (n.someProp('clipboardParser') || n.someProp('domParser') || ke.fromSchema(n.state.schema)).parseSlice(o, {
        preserveWhitespace: !!(a || f),
        context: i,
        ruleFromNode(u) {
          return u.nodeName == 'BR' && !u.nextSibling && u.parentNode && !tc.test(u.parentNode.nodeName)
            ? { ignore: !0 }
            : null
        },
      })),
    f)
  )
    l = oc(As(l, +f[1], +f[2]), f[4])
  else if (((l = b.maxOpen(nc(l.content, i), !0)), l.openStart || l.openEnd)) {
    let h = 0,
      u = 0
    for (let d = l.content.firstChild; h < l.openStart && !d.type.spec.isolating; h++, d = d.firstChild);
    for (let d = l.content.lastChild; u < l.openEnd && !d.type.spec.isolating; u++, d = d.lastChild);
    l = As(l, h, u)
  }
  return (
    n.someProp('transformPasted', (h) => {
      l = h(l, n, a)
    }),
    l
  )
}
var tc = /^(a|abbr|acronym|b|cite|code|del|em|i|ins|kbd|label|output|q|ruby|s|samp|span|strong|sub|sup|time|u|tt|var)$/i
function nc(n, e) {
  if (n.childCount < 2) return n
  for (let t = e.depth; t >= 0; t--) {
    let i = e.node(t).contentMatchAt(e.index(t)),
      s,
      o = []
    if (
      (n.forEach((l) => {
        if (!o) return
        let a = i.findWrapping(l.type),
          c
        if (!a) return (o = null)
        if ((c = o.length && s.length && so(a, s, l, o[o.length - 1], 0))) o[o.length - 1] = c
        else {
          o.length && (o[o.length - 1] = oo(o[o.length - 1], s.length))
          const f = io(l, a)
          o.push(f), (i = i.matchType(f.type)), (s = a)
        }
      }),
      o)
    )
      return y.from(o)
  }
  return n
}
function io(n, e, t = 0) {
  for (let r = e.length - 1; r >= t; r--) n = e[r].create(null, y.from(n))
  return n
}
function so(n, e, t, r, i) {
  if (i < n.length && i < e.length && n[i] == e[i]) {
    const s = so(n, e, t, r.lastChild, i + 1)
    if (s) return r.copy(r.content.replaceChild(r.childCount - 1, s))
    if (r.contentMatchAt(r.childCount).matchType(i == n.length - 1 ? t.type : n[i + 1]))
      return r.copy(r.content.append(y.from(io(t, n, i + 1))))
  }
}
function oo(n, e) {
  if (e == 0) return n
  const t = n.content.replaceChild(n.childCount - 1, oo(n.lastChild, e - 1)),
    r = n.contentMatchAt(n.childCount).fillBefore(y.empty, !0)
  return n.copy(t.append(r))
}
function xr(n, e, t, r, i, s) {
  let o = e < 0 ? n.firstChild : n.lastChild,
    l = o.content
  return (
    n.childCount > 1 && (s = 0),
    i < r - 1 && (l = xr(l, e, t, r, i + 1, s)),
    i >= t &&
      (l =
        e < 0
          ? o
              .contentMatchAt(0)
              .fillBefore(l, s <= i)
              .append(l)
          : l.append(o.contentMatchAt(o.childCount).fillBefore(y.empty, !0))),
    n.replaceChild(e < 0 ? 0 : n.childCount - 1, o.copy(l))
  )
}
function As(n, e, t) {
  return (
    e < n.openStart && (n = new b(xr(n.content, -1, e, n.openStart, 0, n.openEnd), e, n.openEnd)),
    t < n.openEnd && (n = new b(xr(n.content, 1, t, n.openEnd, 0, 0), n.openStart, t)),
    n
  )
}
var lo = {
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  caption: ['table'],
  colgroup: ['table'],
  col: ['table', 'colgroup'],
  tr: ['table', 'tbody'],
  td: ['table', 'tbody', 'tr'],
  th: ['table', 'tbody', 'tr'],
}
function ao() {
  return document.implementation.createHTMLDocument('title')
}
var Tt = null
function rc(n) {
  const e = window.trustedTypes
  if (!e) return n
  if (!Tt) {
    if ((Tt = e.defaultPolicy))
      try {
        return Tt.createHTML(n)
      } catch {}
    Tt = e.createPolicy('ProseMirrorClipboard', { createHTML: (t) => t })
  }
  return Tt.createHTML(n)
}
function ic(n) {
  const e = /^(\s*<meta [^>]*>)*/.exec(n)
  e && (n = n.slice(e[0].length))
  let t = ao(),
    r = t.body,
    i = /<([a-z][^>\s]+)/i.exec(n),
    s
  if (
    ((s = i && lo[i[1].toLowerCase()]) &&
      (n =
        s.map((o) => '<' + o + '>').join('') +
        n +
        s
          .map((o) => '</' + o + '>')
          .reverse()
          .join('')),
    (r.innerHTML = rc(n)),
    s)
  )
    for (let o = 0; o < s.length; o++) r = r.querySelector(s[o]) || r
  for (let o = 0; o < t.styleSheets.length; o++) {
    const l = t.styleSheets[o]
    for (let a = 0; a < l.rules.length; a++) {
      const c = l.rules[a]
      if (c instanceof CSSStyleRule) {
        const f = r.querySelectorAll(c.selectorText)
        for (let h = 0; h < f.length; h++) f[h].style.cssText += c.style.cssText
      }
    }
  }
  return r
}
function sc(n) {
  const e = n.querySelectorAll(F ? 'span:not([class]):not([style])' : 'span.Apple-converted-space')
  for (let t = 0; t < e.length; t++) {
    const r = e[t]
    r.childNodes.length == 1 &&
      r.textContent == '\xA0' &&
      r.parentNode &&
      r.parentNode.replaceChild(n.ownerDocument.createTextNode(' '), r)
  }
}
function oc(n, e) {
  if (!n.size) return n
  let t = n.content.firstChild.type.schema,
    r
  try {
    r = JSON.parse(e)
  } catch {
    return n
  }
  let { content: i, openStart: s, openEnd: o } = n
  for (let l = r.length - 2; l >= 0; l -= 2) {
    const a = t.nodes[r[l]]
    if (!a || a.hasRequiredAttrs()) break
    try {
      i = y.from(a.create(r[l + 1], i))
    } catch {
      break
    }
    s++, o++
  }
  return new b(i, s, o)
}
var W = {},
  q = {},
  lc = { touchstart: !0, touchmove: !0 },
  Sr = class {
    constructor() {
      ;(this.shiftKey = !1),
        (this.mouseDown = null),
        (this.lastKeyCode = null),
        (this.lastKeyCodeTime = 0),
        (this.lastKeyDispatched = !1),
        (this.lastClick = { time: 0, x: 0, y: 0, type: '', button: 0 }),
        (this.lastSelectionOrigin = null),
        (this.lastSelectionTime = 0),
        (this.lastIOSEnter = 0),
        (this.lastIOSEnterFallbackTimeout = -1),
        (this.lastFocus = 0),
        (this.lastTouch = 0),
        (this.lastChromeDelete = 0),
        (this.composing = !1),
        (this.compositionNode = null),
        (this.composingTimeout = -1),
        (this.compositionNodes = []),
        (this.compositionEndedAt = -2e8),
        (this.compositionID = 1),
        (this.badSafariComposition = !1),
        (this.compositionPendingChanges = 0),
        (this.domChangeCount = 0),
        (this.eventHandlers = Object.create(null)),
        (this.hideSelectionGuard = null)
    }
  }
function ac(n) {
  for (const e in W) {
    const t = W[e]
    n.dom.addEventListener(
      e,
      (n.input.eventHandlers[e] = (r) => {
        fc(n, r) && !Rr(n, r) && (n.editable || !(r.type in q)) && t(n, r)
      }),
      lc[e] ? { passive: !0 } : void 0,
    )
  }
  J && n.dom.addEventListener('input', () => null), Mr(n)
}
function ge(n, e) {
  ;(n.input.lastSelectionOrigin = e), (n.input.lastSelectionTime = Date.now())
}
function cc(n) {
  n.input.mouseDown && n.input.mouseDown.done(), n.domObserver.stop()
  for (const e in n.input.eventHandlers) n.dom.removeEventListener(e, n.input.eventHandlers[e])
  clearTimeout(n.input.composingTimeout), clearTimeout(n.input.lastIOSEnterFallbackTimeout)
}
function Mr(n) {
  n.someProp('handleDOMEvents', (e) => {
    for (const t in e)
      n.input.eventHandlers[t] || n.dom.addEventListener(t, (n.input.eventHandlers[t] = (r) => Rr(n, r)))
  })
}
function Rr(n, e) {
  return n.someProp('handleDOMEvents', (t) => {
    const r = t[e.type]
    return r ? r(n, e) || e.defaultPrevented : !1
  })
}
function fc(n, e) {
  if (!e.bubbles) return !0
  if (e.defaultPrevented) return !1
  for (let t = e.target; t != n.dom; t = t.parentNode)
    if (!t || t.nodeType == 11 || (t.pmViewDesc && t.pmViewDesc.stopEvent(e))) return !1
  return !0
}
function hc(n, e) {
  !Rr(n, e) && W[e.type] && (n.editable || !(e.type in q)) && W[e.type](n, e)
}
function Oe(n, e) {
  const { input: t } = n
  return t.lastKeyDispatched || n.composing
    ? !1
    : ((t.lastKeyDispatched = !0),
      typeof e == 'string' && (e = xa(e == 'Backspace' ? 8 : 13, e)),
      n.someProp('handleKeyDown', (r) => r(n, e)))
}
q.keydown = (n, e) => {
  const t = e
  if (
    ((n.input.shiftKey = t.keyCode == 16 || t.shiftKey),
    !ho(n) &&
      ((n.input.lastKeyCode = t.keyCode),
      (n.input.lastKeyCodeTime = Date.now()),
      (n.input.lastKeyDispatched = !1),
      !(me && F && t.keyCode == 13)))
  )
    if (
      (t.keyCode != 229 && n.domObserver.forceFlush(), ct && t.keyCode == 13 && !t.ctrlKey && !t.altKey && !t.metaKey)
    ) {
      const r = Date.now()
      ;(n.input.lastIOSEnter = r),
        (n.input.lastIOSEnterFallbackTimeout = setTimeout(() => {
          n.input.lastIOSEnter == r && (Oe(n, 'Enter'), (n.input.lastIOSEnter = 0))
        }, 200))
    } else Oe(n, t) || ec(n, t) ? t.preventDefault() : ge(n, 'key')
}
q.keyup = (n, e) => {
  e.keyCode == 16 && (n.input.shiftKey = !1)
}
q.keypress = (n, e) => {
  const t = e
  if (ho(n) || !t.charCode || (t.ctrlKey && !t.altKey) || (X && t.metaKey)) return
  if (n.someProp('handleKeyPress', (i) => i(n, t))) {
    t.preventDefault()
    return
  }
  const r = n.state.selection
  if (!(r instanceof O) || !r.$from.sameParent(r.$to)) {
    const i = String.fromCharCode(t.charCode),
      s = () => n.state.tr.insertText(i).scrollIntoView()
    !/[\r\n]/.test(i) && !n.someProp('handleTextInput', (o) => o(n, r.$from.pos, r.$to.pos, i, s)) && n.dispatch(s()),
      t.preventDefault()
  }
}
function Ft(n) {
  return { left: n.clientX, top: n.clientY }
}
function uc(n, e) {
  const t = e.x - n.clientX,
    r = e.y - n.clientY
  return t * t + r * r < 100
}
function Br(n, e, t, r, i) {
  if (r == -1) return !1
  const s = n.state.doc.resolve(r)
  for (let o = s.depth + 1; o > 0; o--)
    if (
      n.someProp(e, (l) =>
        o > s.depth ? l(n, t, s.nodeAfter, s.before(o), i, !0) : l(n, t, s.node(o), s.before(o), i, !1),
      )
    )
      return !0
  return !1
}
function Lt(n, e, t) {
  if ((n.focused || n.focus(), n.state.selection.eq(e))) return
  const r = n.state.tr.setSelection(e)
  r.setMeta('pointer', !0), n.dispatch(r)
}
function dc(n, e) {
  if (e == -1) return !1
  const t = n.state.doc.resolve(e),
    r = t.nodeAfter
  return r && r.isAtom && S.isSelectable(r) ? (Lt(n, new S(t)), !0) : !1
}
function pc(n, e) {
  if (e == -1) return !1
  let t = n.state.selection,
    r,
    i
  t instanceof S && (r = t.node)
  const s = n.state.doc.resolve(e)
  for (let o = s.depth + 1; o > 0; o--) {
    const l = o > s.depth ? s.nodeAfter : s.node(o)
    if (S.isSelectable(l)) {
      r && t.$from.depth > 0 && o >= t.$from.depth && s.before(t.$from.depth + 1) == t.$from.pos
        ? (i = s.before(t.$from.depth))
        : (i = s.before(o))
      break
    }
  }
  return i != null ? (Lt(n, S.create(n.state.doc, i)), !0) : !1
}
function mc(n, e, t, r, i) {
  return Br(n, 'handleClickOn', e, t, r) || n.someProp('handleClick', (s) => s(n, e, r)) || (i ? pc(n, t) : dc(n, t))
}
function gc(n, e, t, r) {
  return Br(n, 'handleDoubleClickOn', e, t, r) || n.someProp('handleDoubleClick', (i) => i(n, e, r))
}
function yc(n, e, t, r) {
  return Br(n, 'handleTripleClickOn', e, t, r) || n.someProp('handleTripleClick', (i) => i(n, e, r)) || bc(n, t, r)
}
function bc(n, e, t) {
  if (t.button != 0) return !1
  const r = co(n, e, !0),
    i = n.state.doc
  return r ? (Lt(n, r), r instanceof O && i.eq(n.state.doc) && (n.input.mouseDown = new Or(n, r)), !0) : !1
}
function co(n, e, t) {
  const r = n.state.doc
  if (e == -1) return r.inlineContent ? O.create(r, 0, r.content.size) : null
  const i = r.resolve(e)
  for (let s = i.depth + 1; s > 0; s--) {
    const o = s > i.depth ? i.nodeAfter : i.node(s),
      l = i.before(s)
    if (o.inlineContent) return O.create(r, l + 1, l + 1 + o.content.size)
    if (t && S.isSelectable(o)) return S.create(r, l)
  }
  return null
}
function Pr(n) {
  return kn(n)
}
var fo = X ? 'metaKey' : 'ctrlKey'
W.mousedown = (n, e) => {
  const t = e
  n.input.shiftKey = t.shiftKey
  let r = Pr(n),
    i = Date.now(),
    s = 'singleClick'
  i - n.input.lastClick.time < 500 &&
    uc(t, n.input.lastClick) &&
    !t[fo] &&
    n.input.lastClick.button == t.button &&
    (n.input.lastClick.type == 'singleClick'
      ? (s = 'doubleClick')
      : n.input.lastClick.type == 'doubleClick' && (s = 'tripleClick')),
    (n.input.lastClick = { time: i, x: t.clientX, y: t.clientY, type: s, button: t.button }),
    n.input.mouseDown && n.input.mouseDown.done()
  const o = n.posAtCoords(Ft(t))
  o &&
    (s == 'singleClick'
      ? (n.input.mouseDown = new Cr(n, o, t, !!r))
      : (s == 'doubleClick' ? gc : yc)(n, o.pos, o.inside, t)
        ? t.preventDefault()
        : ge(n, 'pointer'))
}
var bn = class {
    constructor(e) {
      ;(this.view = e),
        (this.mightDrag = null),
        e.root.addEventListener('mouseup', (this.up = this.up.bind(this))),
        e.root.addEventListener('mousemove', (this.move = this.move.bind(this)))
    }
    up(e) {
      this.done()
    }
    move(e) {
      e.buttons == 0 && this.done()
    }
    done() {
      this.view.root.removeEventListener('mouseup', this.up),
        this.view.root.removeEventListener('mousemove', this.move),
        this.view.input.mouseDown == this && (this.view.input.mouseDown = null)
    }
    delaySelUpdate() {
      return !1
    }
  },
  Cr = class extends bn {
    constructor(e, t, r, i) {
      super(e),
        (this.pos = t),
        (this.event = r),
        (this.flushed = i),
        (this.delayedSelectionSync = !1),
        (this.startDoc = e.state.doc),
        (this.selectNode = !!r[fo]),
        (this.allowDefault = r.shiftKey)
      let s, o
      if (t.inside > -1) (s = e.state.doc.nodeAt(t.inside)), (o = t.inside)
      else {
        const f = e.state.doc.resolve(t.pos)
        ;(s = f.parent), (o = f.depth ? f.before() : 0)
      }
      const l = i ? null : r.target,
        a = l ? e.docView.nearestDesc(l, !0) : null
      this.target = a && x(a.nodeDOM) ? a.nodeDOM : null
      const { selection: c } = e.state
      r.button == 0 &&
        ((s.type.spec.draggable && s.type.spec.selectable !== !1) || (c instanceof S && c.from <= o && c.to > o)) &&
        (this.mightDrag = {
          node: s,
          pos: o,
          addAttr: !!(this.target && !this.target.draggable),
          setUneditable: !!(this.target && _ && !this.target.hasAttribute('contentEditable')),
        }),
        this.target &&
          this.mightDrag &&
          (this.mightDrag.addAttr || this.mightDrag.setUneditable) &&
          (this.view.domObserver.stop(),
          this.mightDrag.addAttr && (this.target.draggable = !0),
          this.mightDrag.setUneditable &&
            setTimeout(() => {
              this.view.input.mouseDown == this && this.target.setAttribute('contentEditable', 'false')
            }, 20),
          this.view.domObserver.start()),
        ge(e, 'pointer')
    }
    done() {
      super.done(),
        this.mightDrag &&
          this.target &&
          (this.view.domObserver.stop(),
          this.mightDrag.addAttr && this.target.removeAttribute('draggable'),
          this.mightDrag.setUneditable && this.target.removeAttribute('contentEditable'),
          this.view.domObserver.start()),
        this.delayedSelectionSync &&
          setTimeout(() => {
            this.view.isDestroyed || ye(this.view)
          })
    }
    up(e) {
      if ((this.done(), !this.view.dom.contains(e.target))) return
      let t = this.pos
      this.view.state.doc != this.startDoc && (t = this.view.posAtCoords(Ft(e))),
        this.updateAllowDefault(e),
        this.allowDefault || !t
          ? ge(this.view, 'pointer')
          : mc(this.view, t.pos, t.inside, e, this.selectNode)
            ? e.preventDefault()
            : e.button == 0 &&
                (this.flushed ||
                  (J && this.mightDrag && !this.mightDrag.node.isAtom) ||
                  (F &&
                    !this.view.state.selection.visible &&
                    Math.min(
                      Math.abs(t.pos - this.view.state.selection.from),
                      Math.abs(t.pos - this.view.state.selection.to),
                    ) <= 2))
              ? (Lt(this.view, M.near(this.view.state.doc.resolve(t.pos))), e.preventDefault())
              : ge(this.view, 'pointer')
    }
    move(e) {
      this.updateAllowDefault(e), ge(this.view, 'pointer'), super.move(e)
    }
    updateAllowDefault(e) {
      !this.allowDefault &&
        (Math.abs(this.event.x - e.clientX) > 4 || Math.abs(this.event.y - e.clientY) > 4) &&
        (this.allowDefault = !0)
    }
    delaySelUpdate() {
      return this.allowDefault ? ((this.delayedSelectionSync = !0), !0) : !1
    }
  },
  Or = class extends bn {
    constructor(e, t) {
      super(e), (this.startSelection = t), (this.startDoc = e.state.doc)
    }
    move(e) {
      if (e.buttons == 0 || this.view.isDestroyed || !this.view.state.doc.eq(this.startDoc)) {
        this.done()
        return
      }
      e.preventDefault(), ge(this.view, 'pointer')
      const t = this.view.posAtCoords(Ft(e)),
        r = t && co(this.view, t.inside, !1)
      if (!r) return
      const { doc: i } = this.view.state,
        s = this.startSelection,
        [o, l] = r.from < s.from ? [s.to, r.from] : [s.from, r.to]
      Lt(this.view, O.create(i, o, l))
    }
  }
W.touchstart = (n) => {
  ;(n.input.lastTouch = Date.now()), Pr(n), ge(n, 'pointer')
}
W.touchmove = (n) => {
  ;(n.input.lastTouch = Date.now()), ge(n, 'pointer')
}
W.contextmenu = (n) => Pr(n)
function ho(n, e) {
  return n.composing
    ? !0
    : J && Math.abs(Date.now() - n.input.compositionEndedAt) < 500
      ? ((n.input.compositionEndedAt = -2e8), !0)
      : !1
}
var kc = me ? 5e3 : -1
q.compositionstart = q.compositionupdate = (n) => {
  if (!n.composing) {
    n.domObserver.flush()
    const { state: e } = n,
      t = e.selection.$to
    if (
      e.selection instanceof O &&
      e.selection.empty &&
      (e.storedMarks ||
        (!t.textOffset && t.parentOffset && t.nodeBefore.marks.some((r) => r.type.spec.inclusive === !1)) ||
        (F && qs && xc(n)))
    )
      (n.markCursor = n.state.storedMarks || t.marks()), kn(n, !0), (n.markCursor = null)
    else if (
      (kn(n, !e.selection.empty),
      _ && e.selection.empty && t.parentOffset && !t.textOffset && t.nodeBefore.marks.length)
    ) {
      const r = n.domSelectionRange()
      for (let i = r.focusNode, s = r.focusOffset; i && x(i) && s != 0; ) {
        const o = s < 0 ? i.lastChild : i.childNodes[s - 1]
        if (!o) break
        if (I(o)) {
          const l = n.domSelection()
          l && l.collapse(o, o.nodeValue.length)
          break
        } else (i = o), (s = -1)
      }
    }
    n.input.composing = !0
  }
  uo(n, kc)
}
function xc(n) {
  const { focusNode: e, focusOffset: t } = n.domSelectionRange()
  if (!e || !x(e) || t >= e.childNodes.length) return !1
  const r = e.childNodes[t]
  return x(r) && r.contentEditable == 'false'
}
q.compositionend = (n, e) => {
  n.composing &&
    ((n.input.composing = !1),
    (n.input.compositionEndedAt = Date.now()),
    (n.input.compositionPendingChanges = n.domObserver.pendingRecords().length ? n.input.compositionID : 0),
    (n.input.compositionNode = null),
    n.input.badSafariComposition
      ? n.domObserver.forceFlush()
      : n.input.compositionPendingChanges && Promise.resolve().then(() => n.domObserver.flush()),
    n.input.compositionID++,
    uo(n, 20))
}
function uo(n, e) {
  clearTimeout(n.input.composingTimeout), e > -1 && (n.input.composingTimeout = setTimeout(() => kn(n), e))
}
function po(n) {
  for (
    n.composing && ((n.input.composing = !1), (n.input.compositionEndedAt = Date.now()));
    n.input.compositionNodes.length > 0;
  )
    n.input.compositionNodes.pop().markParentsDirty()
}
function Sc(n) {
  const e = n.domSelectionRange()
  if (!e.focusNode) return null
  const t = ya(e.focusNode, e.focusOffset),
    r = ba(e.focusNode, e.focusOffset)
  if (t && r && t != r) {
    const i = r.pmViewDesc,
      s = n.domObserver.lastChangedTextNode
    if (t == s || r == s) return s
    if (!i || !i.isText(r.nodeValue)) return r
    if (n.input.compositionNode == r) {
      const o = t.pmViewDesc
      if (!(!o || !o.isText(t.nodeValue))) return r
    }
  }
  return t || r
}
function kn(n, e = !1) {
  if (!(me && n.domObserver.flushingSoon >= 0)) {
    if ((n.domObserver.forceFlush(), po(n), e || (n.docView && n.docView.dirty))) {
      const t = Er(n),
        r = n.state.selection
      return (
        t && !t.eq(r)
          ? n.dispatch(n.state.tr.setSelection(t))
          : (n.markCursor || e) && !r.$from.node(r.$from.sharedDepth(r.to)).inlineContent
            ? n.dispatch(n.state.tr.deleteSelection())
            : n.updateState(n.state),
        !0
      )
    }
    return !1
  }
}
function Mc(n, e) {
  if (!n.dom.parentNode) return
  const t = n.dom.parentNode.appendChild(document.createElement('div'))
  t.appendChild(e), (t.style.cssText = 'position: fixed; left: -10000px; top: 10px')
  const r = getSelection(),
    i = document.createRange()
  i.selectNodeContents(e),
    n.dom.blur(),
    r.removeAllRanges(),
    r.addRange(i),
    setTimeout(() => {
      t.parentNode && t.parentNode.removeChild(t), n.focus()
    }, 50)
}
var It = (U && Ne < 15) || (ct && Ca < 604)
W.copy = q.cut = (n, e) => {
  const t = e,
    r = n.state.selection,
    i = t.type == 'cut'
  if (r.empty) return
  const s = It ? null : t.clipboardData,
    o = r.content(),
    { dom: l, text: a } = Ir(n, o)
  s ? (t.preventDefault(), s.clearData(), s.setData('text/html', l.innerHTML), s.setData('text/plain', a)) : Mc(n, l),
    i && n.dispatch(n.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut'))
}
function Cc(n) {
  return n.openStart == 0 && n.openEnd == 0 && n.content.childCount == 1 ? n.content.firstChild : null
}
function Oc(n, e) {
  if (!n.dom.parentNode) return
  const t = n.input.shiftKey || n.state.selection.$from.parent.type.spec.code,
    r = n.dom.parentNode.appendChild(document.createElement(t ? 'textarea' : 'div'))
  t || (r.contentEditable = 'true'), (r.style.cssText = 'position: fixed; left: -10000px; top: 10px'), r.focus()
  const i = n.input.shiftKey && n.input.lastKeyCode != 45
  setTimeout(() => {
    n.focus(),
      r.parentNode && r.parentNode.removeChild(r),
      t ? Rt(n, r.value, null, i, e) : Rt(n, r.textContent, r.innerHTML, i, e)
  }, 50)
}
function Rt(n, e, t, r, i) {
  const s = ro(n, e, t, r, n.state.selection.$from)
  if (n.someProp('handlePaste', (a) => a(n, i, s || b.empty))) return !0
  if (!s) return !1
  const o = Cc(s),
    l = o ? n.state.tr.replaceSelectionWith(o, r) : n.state.tr.replaceSelection(s)
  return (n.dispatch(l.scrollIntoView().setMeta('paste', !0).setMeta('uiEvent', 'paste')), !0)
}
function mo(n) {
  const e = n.getData('text/plain') || n.getData('Text')
  if (e) return e
  const t = n.getData('text/uri-list')
  return t ? t.replace(/\r?\n/g, ' ') : ''
}
q.paste = (n, e) => {
  const t = e
  if (n.composing && !me) return
  const r = It ? null : t.clipboardData,
    i = n.input.shiftKey && n.input.lastKeyCode != 45
  r && Rt(n, mo(r), r.getData('text/html'), i, t) ? t.preventDefault() : Oc(n, t)
}
var xn = class {
    constructor(e, t, r) {
      ;(this.slice = e), (this.move = t), (this.node = r)
    }
  },
  Nc = X ? 'altKey' : 'ctrlKey'
function go(n, e) {
  let t
  return (
    n.someProp('dragCopies', (r) => {
      t = t || r(e)
    }),
    t != null ? !t : !e[Nc]
  )
}
W.dragstart = (n, e) => {
  const t = e,
    r = n.input.mouseDown
  if ((r && r.done(), !t.dataTransfer)) return
  let i = n.state.selection,
    s = i.empty ? null : n.posAtCoords(Ft(t)),
    o
  if (!(s && s.pos >= i.from && s.pos <= (i instanceof S ? i.to - 1 : i.to))) {
    if (r && r.mightDrag) o = S.create(n.state.doc, r.mightDrag.pos)
    else if (t.target && x(t.target)) {
      const h = n.docView.nearestDesc(t.target, !0)
      h && h.node.type.spec.draggable && h != n.docView && (o = S.create(n.state.doc, h.posBefore))
    }
  }
  const l = (o || n.state.selection).content(),
    { dom: a, text: c, slice: f } = Ir(n, l)
  ;(!t.dataTransfer.files.length || !F || Ws > 120) && t.dataTransfer.clearData(),
    t.dataTransfer.setData(It ? 'Text' : 'text/html', a.innerHTML),
    (t.dataTransfer.effectAllowed = 'copyMove'),
    It || t.dataTransfer.setData('text/plain', c),
    (n.dragging = new xn(f, go(n, t), o))
}
W.dragend = (n) => {
  const e = n.dragging
  window.setTimeout(() => {
    n.dragging == e && (n.dragging = null)
  }, 50)
}
q.dragover = q.dragenter = (n, e) => e.preventDefault()
q.drop = (n, e) => {
  try {
    wc(n, e, n.dragging)
  } finally {
    n.dragging = null
  }
}
function wc(n, e, t) {
  if (!e.dataTransfer) return
  const r = n.posAtCoords(Ft(e))
  if (!r) return
  let i = n.state.doc.resolve(r.pos),
    s = t && t.slice
  s
    ? n.someProp('transformPasted', (d) => {
        s = d(s, n, !1)
      })
    : (s = ro(n, mo(e.dataTransfer), It ? null : e.dataTransfer.getData('text/html'), !1, i))
  const o = !!(t && go(n, e))
  if (n.someProp('handleDrop', (d) => d(n, e, s || b.empty, o))) {
    e.preventDefault()
    return
  }
  if (!s) return
  e.preventDefault()
  let l = s ? Ai(n.state.doc, i.pos, s) : i.pos
  l == null && (l = i.pos)
  const a = n.state.tr
  if (o) {
    const { node: d } = t
    d ? d.replace(a) : a.deleteSelection()
  }
  const c = a.mapping.map(l),
    f = s.openStart == 0 && s.openEnd == 0 && s.content.childCount == 1,
    h = a.doc
  if ((f ? a.replaceRangeWith(c, c, s.content.firstChild) : a.replaceRange(c, c, s), a.doc.eq(h))) return
  const u = a.doc.resolve(c)
  if (f && S.isSelectable(s.content.firstChild) && u.nodeAfter && u.nodeAfter.sameMarkup(s.content.firstChild))
    a.setSelection(new S(u))
  else {
    let d = a.mapping.map(l)
    a.mapping.maps[a.mapping.maps.length - 1].forEach((p, m, g, k) => (d = k)),
      a.setSelection(Ar(n, u, a.doc.resolve(d)))
  }
  n.focus(), n.dispatch(a.setMeta('uiEvent', 'drop'))
}
W.focus = (n) => {
  if (((n.input.lastFocus = Date.now()), !n.focused)) {
    n.domObserver.stop(), n.dom.classList.add('ProseMirror-focused'), n.domObserver.start(), (n.focused = !0)
    const e = n.domSelectionRange()
    if (!n.domObserver.currentSelection.eq(e)) {
      const { focusNode: t, focusOffset: r } = e
      setTimeout(() => {
        const i = n.domSelectionRange()
        i.focusNode == t && i.focusOffset == r && n.docView && n.hasFocus() && ye(n)
      }, 20)
    }
  }
}
W.blur = (n, e) => {
  const t = e
  n.focused &&
    (n.domObserver.stop(),
    n.dom.classList.remove('ProseMirror-focused'),
    n.domObserver.start(),
    t.relatedTarget && n.dom.contains(t.relatedTarget) && n.domObserver.currentSelection.clear(),
    (n.focused = !1))
}
W.beforeinput = (n, e) => {
  if (me && e.inputType == 'deleteContentBackward') {
    n.domObserver.flushSoon()
    const { domChangeCount: r } = n.input
    setTimeout(() => {
      if (
        n.input.domChangeCount != r ||
        n.domObserver.pendingRecords().length ||
        (n.dom.blur(), n.focus(), Oe(n, 'Backspace'))
      )
        return
      const { $cursor: i } = n.state.selection
      i && i.pos > 0 && n.dispatch(n.state.tr.delete(i.pos - 1, i.pos).scrollIntoView())
    }, 50)
  }
}
for (const n in q) W[n] = q[n]
function Bt(n, e) {
  if (n == e) return !0
  for (const t in n) if (n[t] !== e[t]) return !1
  for (const t in e) if (!(t in n)) return !1
  return !0
}
var Pt = class {
    constructor(e) {
      ;(this.frag = e), (this.index = 0), (this.off = 0)
    }
    nodeAt(e) {
      for (; this.off <= e && this.index < this.frag.childCount; ) {
        const t = this.frag.child(this.index)
        if (this.off == e) return t
        ;(this.off += t.nodeSize), this.index++
      }
      return null
    }
  },
  Sn = class n {
    constructor(e, t) {
      ;(this.toDOM = e), (this.spec = t || He), (this.side = this.spec.side || 0)
    }
    map(e, t, r, i) {
      const { pos: s, deleted: o } = e.mapResult(t.from + i, this.side < 0 ? -1 : 1)
      return o ? null : new De(s - r, s - r, this)
    }
    valid() {
      return !0
    }
    eq(e) {
      return (
        this == e ||
        (e instanceof n &&
          ((this.spec.key && this.spec.key == e.spec.key) || (this.toDOM == e.toDOM && Bt(this.spec, e.spec))))
      )
    }
    destroy(e) {
      this.spec.destroy && this.spec.destroy(e)
    }
  },
  qe = class n {
    constructor(e, t) {
      ;(this.attrs = e), (this.spec = t || He)
    }
    map(e, t, r, i) {
      const s = e.map(t.from + i, this.spec.inclusiveStart ? -1 : 1) - r,
        o = e.map(t.to + i, this.spec.inclusiveEnd ? 1 : -1) - r
      return s >= o ? null : new De(s, o, this)
    }
    valid(e, t) {
      return t.from < t.to
    }
    eq(e) {
      return this == e || (e instanceof n && Bt(this.attrs, e.attrs) && Bt(this.spec, e.spec))
    }
    static is(e) {
      return e.type instanceof n
    }
    destroy() {}
  },
  Nr = class n {
    constructor(e, t) {
      ;(this.attrs = e), (this.spec = t || He)
    }
    map(e, t, r, i) {
      const s = e.mapResult(t.from + i, 1)
      if (s.deleted) return null
      const o = e.mapResult(t.to + i, -1)
      return o.deleted || o.pos <= s.pos ? null : new De(s.pos - r, o.pos - r, this)
    }
    valid(e, t, r) {
      const i = r.nodeAt(t.from)
      return !!i && !i.isText && t.from + i.nodeSize == t.to
    }
    eq(e) {
      return this == e || (e instanceof n && Bt(this.attrs, e.attrs) && Bt(this.spec, e.spec))
    }
    destroy() {}
  },
  De = class n {
    constructor(e, t, r) {
      ;(this.from = e), (this.to = t), (this.type = r)
    }
    copy(e, t) {
      return new n(e, t, this.type)
    }
    eq(e, t = 0) {
      return this.type.eq(e.type) && this.from + t == e.from && this.to + t == e.to
    }
    map(e, t, r) {
      return this.type.map(e, this, t, r)
    }
    static widget(e, t, r) {
      return new n(e, e, new Sn(t, r))
    }
    static inline(e, t, r, i) {
      return new n(e, t, new qe(r, i))
    }
    static node(e, t, r, i) {
      return new n(e, t, new Nr(r, i))
    }
    get spec() {
      return this.type.spec
    }
    get inline() {
      return this.type instanceof qe
    }
    get widget() {
      return this.type instanceof Sn
    }
  },
  lt = [],
  He = {},
  Z = class n {
    constructor(e, t) {
      ;(this.local = e.length ? e : lt), (this.children = t.length ? t : lt)
    }
    static create(e, t) {
      return t.length ? Cn(t, e, 0, He) : V
    }
    find(e, t, r) {
      const i = []
      return (this.findInner(e ?? 0, t ?? 1e9, i, 0, r), i)
    }
    findInner(e, t, r, i, s) {
      for (let o = 0; o < this.local.length; o++) {
        const l = this.local[o]
        l.from <= t && l.to >= e && (!s || s(l.spec)) && r.push(l.copy(l.from + i, l.to + i))
      }
      for (let o = 0; o < this.children.length; o += 3)
        if (this.children[o] < t && this.children[o + 1] > e) {
          const l = this.children[o] + 1
          this.children[o + 2].findInner(e - l, t - l, r, i + l, s)
        }
    }
    map(e, t, r) {
      return this == V || e.maps.length == 0 ? this : this.mapInner(e, t, 0, 0, r || He)
    }
    mapInner(e, t, r, i, s) {
      let o
      if (this.local.length) {
        const l = new Pt(t.content)
        for (let a = 0; a < this.local.length; a++) {
          const c = this.local[a].map(e, r, i)
          c && c.type.valid(t, c, l) ? (o || (o = [])).push(c) : s.onRemove && s.onRemove(this.local[a].spec)
        }
      }
      return this.children.length ? Dc(this.children, o || [], e, t, r, i, s) : o ? new n(o.sort(Ke), lt) : V
    }
    add(e, t) {
      return t.length ? (this == V ? n.create(e, t) : this.addInner(e, t, 0)) : this
    }
    addInner(e, t, r) {
      let i,
        s = 0
      e.forEach((l, a) => {
        let c = a + r,
          f
        if ((f = bo(t, l, c))) {
          for (i || (i = this.children.slice()); s < i.length && i[s] < a; ) s += 3
          i[s] == a
            ? (i[s + 2] = i[s + 2].addInner(l, f, c + 1))
            : i.splice(s, 0, a, a + l.nodeSize, Cn(f, l, c + 1, He)),
            (s += 3)
        }
      })
      const o = yo(s ? ko(t) : t, -r)
      if (o.length) {
        const l = new Pt(e.content)
        for (let a = 0; a < o.length; a++) o[a].type.valid(e, o[a], l) || o.splice(a--, 1)
      }
      return new n(o.length ? this.local.concat(o).sort(Ke) : this.local, i || this.children)
    }
    remove(e) {
      return e.length == 0 || this == V ? this : this.removeInner(e, 0)
    }
    removeInner(e, t) {
      let r = this.children,
        i = this.local
      for (let s = 0; s < r.length; s += 3) {
        let o,
          l = r[s] + t,
          a = r[s + 1] + t
        for (let f = 0, h; f < e.length; f++)
          (h = e[f]) && h.from > l && h.to < a && ((e[f] = null), (o || (o = [])).push(h))
        if (!o) continue
        r == this.children && (r = this.children.slice())
        const c = r[s + 2].removeInner(o, l + 1)
        c != V ? (r[s + 2] = c) : (r.splice(s, 3), (s -= 3))
      }
      if (i.length) {
        for (let s = 0, o; s < e.length; s++)
          if ((o = e[s]))
            for (let l = 0; l < i.length; l++)
              i[l].eq(o, t) && (i == this.local && (i = this.local.slice()), i.splice(l--, 1))
      }
      return r == this.children && i == this.local ? this : i.length || r.length ? new n(i, r) : V
    }
    forChild(e, t) {
      if (this == V) return this
      if (t.isLeaf) return n.empty
      let r, i
      for (let l = 0; l < this.children.length; l += 3)
        if (this.children[l] >= e) {
          this.children[l] == e && (r = this.children[l + 2])
          break
        }
      const s = e + 1,
        o = s + t.content.size
      for (let l = 0; l < this.local.length; l++) {
        const a = this.local[l]
        if (a.from < o && a.to > s && a.type instanceof qe) {
          const c = Math.max(s, a.from) - s,
            f = Math.min(o, a.to) - s
          c < f && (i || (i = [])).push(a.copy(c, f))
        }
      }
      if (i) {
        const l = new n(i.sort(Ke), lt)
        return r ? new Mn([l, r]) : l
      }
      return r || V
    }
    eq(e) {
      if (this == e) return !0
      if (!(e instanceof n) || this.local.length != e.local.length || this.children.length != e.children.length)
        return !1
      for (let t = 0; t < this.local.length; t++) if (!this.local[t].eq(e.local[t])) return !1
      for (let t = 0; t < this.children.length; t += 3)
        if (
          this.children[t] != e.children[t] ||
          this.children[t + 1] != e.children[t + 1] ||
          !this.children[t + 2].eq(e.children[t + 2])
        )
          return !1
      return !0
    }
    locals(e) {
      return zr(this.localsInner(e))
    }
    localsInner(e) {
      if (this == V) return lt
      if (e.inlineContent || !this.local.some(qe.is)) return this.local
      const t = []
      for (let r = 0; r < this.local.length; r++) this.local[r].type instanceof qe || t.push(this.local[r])
      return t
    }
    forEachSet(e) {
      e(this)
    }
  }
Z.empty = new Z([], [])
Z.removeOverlap = zr
var V = Z.empty,
  Mn = class n {
    constructor(e) {
      this.members = e
    }
    map(e, t) {
      const r = this.members.map((i) => i.map(e, t, He))
      return n.from(r)
    }
    forChild(e, t) {
      if (t.isLeaf) return Z.empty
      let r = []
      for (let i = 0; i < this.members.length; i++) {
        const s = this.members[i].forChild(e, t)
        s != V && (s instanceof n ? (r = r.concat(s.members)) : r.push(s))
      }
      return n.from(r)
    }
    eq(e) {
      if (!(e instanceof n) || e.members.length != this.members.length) return !1
      for (let t = 0; t < this.members.length; t++) if (!this.members[t].eq(e.members[t])) return !1
      return !0
    }
    locals(e) {
      let t,
        r = !0
      for (let i = 0; i < this.members.length; i++) {
        const s = this.members[i].localsInner(e)
        if (s.length)
          if (!t) t = s
          else {
            r && ((t = t.slice()), (r = !1))
            for (let o = 0; o < s.length; o++) t.push(s[o])
          }
      }
      return t ? zr(r ? t : t.sort(Ke)) : lt
    }
    static from(e) {
      switch (e.length) {
        case 0:
          return V
        case 1:
          return e[0]
        default:
          return new n(
            e.every((t) => t instanceof Z) ? e : e.reduce((t, r) => t.concat(r instanceof Z ? r : r.members), []),
          )
      }
    }
    forEachSet(e) {
      for (let t = 0; t < this.members.length; t++) this.members[t].forEachSet(e)
    }
  }
function Dc(n, e, t, r, i, s, o) {
  const l = n.slice()
  for (let c = 0, f = s; c < t.maps.length; c++) {
    let h = 0
    t.maps[c].forEach((u, d, p, m) => {
      const g = m - p - (d - u)
      for (let k = 0; k < l.length; k += 3) {
        const N = l[k + 1]
        if (N < 0 || u > N + f - h) continue
        const w = l[k] + f - h
        d >= w ? (l[k + 1] = u <= w ? -2 : -1) : u >= f && g && ((l[k] += g), (l[k + 1] += g))
      }
      h += g
    }),
      (f = t.maps[c].map(f, -1))
  }
  let a = !1
  for (let c = 0; c < l.length; c += 3)
    if (l[c + 1] < 0) {
      if (l[c + 1] == -2) {
        ;(a = !0), (l[c + 1] = -1)
        continue
      }
      const f = t.map(n[c] + s),
        h = f - i
      if (h < 0 || h >= r.content.size) {
        a = !0
        continue
      }
      const u = t.map(n[c + 1] + s, -1),
        d = u - i,
        { index: p, offset: m } = r.content.findIndex(h),
        g = r.maybeChild(p)
      if (g && m == h && m + g.nodeSize == d) {
        const k = l[c + 2].mapInner(t, g, f + 1, n[c] + s + 1, o)
        k != V ? ((l[c] = h), (l[c + 1] = d), (l[c + 2] = k)) : ((l[c + 1] = -2), (a = !0))
      } else a = !0
    }
  if (a) {
    const c = Tc(l, n, e, t, i, s, o),
      f = Cn(c, r, 0, o)
    e = f.local
    for (let h = 0; h < l.length; h += 3) l[h + 1] < 0 && (l.splice(h, 3), (h -= 3))
    for (let h = 0, u = 0; h < f.children.length; h += 3) {
      const d = f.children[h]
      for (; u < l.length && l[u] < d; ) u += 3
      l.splice(u, 0, f.children[h], f.children[h + 1], f.children[h + 2])
    }
  }
  return new Z(e.sort(Ke), l)
}
function yo(n, e) {
  if (!e || !n.length) return n
  const t = []
  for (let r = 0; r < n.length; r++) {
    const i = n[r]
    t.push(new De(i.from + e, i.to + e, i.type))
  }
  return t
}
function Tc(n, e, t, r, i, s, o) {
  function l(a, c) {
    for (let f = 0; f < a.local.length; f++) {
      const h = a.local[f].map(r, i, c)
      h ? t.push(h) : o.onRemove && o.onRemove(a.local[f].spec)
    }
    for (let f = 0; f < a.children.length; f += 3) l(a.children[f + 2], a.children[f] + c + 1)
  }
  for (let a = 0; a < n.length; a += 3) n[a + 1] == -1 && l(n[a + 2], e[a] + s + 1)
  return t
}
function bo(n, e, t) {
  if (e.isLeaf) return null
  let r = t + e.nodeSize,
    i = null
  for (let s = 0, o; s < n.length; s++) (o = n[s]) && o.from > t && o.to < r && ((i || (i = [])).push(o), (n[s] = null))
  return i
}
function ko(n) {
  const e = []
  for (let t = 0; t < n.length; t++) n[t] != null && e.push(n[t])
  return e
}
function Cn(n, e, t, r) {
  let i = [],
    s = !1
  e.forEach((l, a) => {
    const c = bo(n, l, a + t)
    if (c) {
      s = !0
      const f = Cn(c, l, t + a + 1, r)
      f != V && i.push(a, a + l.nodeSize, f)
    }
  })
  const o = yo(s ? ko(n) : n, -t).sort(Ke)
  if (o.length) {
    const l = new Pt(e.content)
    for (let a = 0; a < o.length; a++)
      o[a].type.valid(e, o[a], l) || (r.onRemove && r.onRemove(o[a].spec), o.splice(a--, 1))
  }
  return o.length || i.length ? new Z(o, i) : V
}
function Ke(n, e) {
  return n.from - e.from || n.to - e.to
}
function zr(n) {
  let e = n
  for (let t = 0; t < e.length - 1; t++) {
    const r = e[t]
    if (r.from != r.to)
      for (let i = t + 1; i < e.length; i++) {
        const s = e[i]
        if (s.from == r.from) {
          s.to != r.to && (e == n && (e = n.slice()), (e[i] = s.copy(s.from, r.to)), Is(e, i + 1, s.copy(r.to, s.to)))
        } else {
          s.from < r.to && (e == n && (e = n.slice()), (e[t] = r.copy(r.from, s.from)), Is(e, i, r.copy(s.from, r.to)))
          break
        }
      }
  }
  return e
}
function Is(n, e, t) {
  for (; e < n.length && Ke(t, n[e]) > 0; ) e++
  n.splice(e, 0, t)
}
function or(n) {
  const e = []
  return (
    n.someProp('decorations', (t) => {
      const r = t(n.state)
      r && r != V && e.push(r)
    }),
    n.cursorWrapper && e.push(Z.create(n.state.doc, [n.cursorWrapper.deco])),
    Mn.from(e)
  )
}
var Ec = {
    childList: !0,
    characterData: !0,
    characterDataOldValue: !0,
    attributes: !0,
    attributeOldValue: !0,
    subtree: !0,
  },
  Ac = U && Ne <= 11,
  wr = class {
    constructor() {
      ;(this.anchorNode = null), (this.anchorOffset = 0), (this.focusNode = null), (this.focusOffset = 0)
    }
    set(e) {
      ;(this.anchorNode = e.anchorNode),
        (this.anchorOffset = e.anchorOffset),
        (this.focusNode = e.focusNode),
        (this.focusOffset = e.focusOffset)
    }
    clear() {
      this.anchorNode = this.focusNode = null
    }
    eq(e) {
      return (
        e.anchorNode == this.anchorNode &&
        e.anchorOffset == this.anchorOffset &&
        e.focusNode == this.focusNode &&
        e.focusOffset == this.focusOffset
      )
    }
  },
  Dr = class {
    constructor(e, t) {
      ;(this.view = e),
        (this.handleDOMChange = t),
        (this.queue = []),
        (this.flushingSoon = -1),
        (this.observer = null),
        (this.currentSelection = new wr()),
        (this.onCharData = null),
        (this.suppressingSelectionUpdates = !1),
        (this.lastChangedTextNode = null),
        (this.observer =
          window.MutationObserver &&
          new window.MutationObserver((r) => {
            for (let i = 0; i < r.length; i++) this.queue.push(r[i])
            U &&
            Ne <= 11 &&
            r.some(
              (i) =>
                (i.type == 'childList' && i.removedNodes.length) ||
                (i.type == 'characterData' && i.oldValue.length > i.target.nodeValue.length),
            )
              ? this.flushSoon()
              : J && e.composing && r.some((i) => i.type == 'childList' && i.target.nodeName == 'TR')
                ? ((e.input.badSafariComposition = !0), this.flushSoon())
                : this.flush()
          })),
        Ac &&
          (this.onCharData = (r) => {
            this.queue.push({ target: r.target, type: 'characterData', oldValue: r.prevValue }), this.flushSoon()
          }),
        (this.onSelectionChange = this.onSelectionChange.bind(this))
    }
    flushSoon() {
      this.flushingSoon < 0 &&
        (this.flushingSoon = window.setTimeout(() => {
          ;(this.flushingSoon = -1), this.flush()
        }, 20))
    }
    forceFlush() {
      this.flushingSoon > -1 && (window.clearTimeout(this.flushingSoon), (this.flushingSoon = -1), this.flush())
    }
    start() {
      this.observer && (this.observer.takeRecords(), this.observer.observe(this.view.dom, Ec)),
        this.onCharData && this.view.dom.addEventListener('DOMCharacterDataModified', this.onCharData),
        this.connectSelection()
    }
    stop() {
      if (this.observer) {
        const e = this.observer.takeRecords()
        if (e.length) {
          for (let t = 0; t < e.length; t++) this.queue.push(e[t])
          window.setTimeout(() => this.flush(), 20)
        }
        this.observer.disconnect()
      }
      this.onCharData && this.view.dom.removeEventListener('DOMCharacterDataModified', this.onCharData),
        this.disconnectSelection()
    }
    connectSelection() {
      this.view.dom.ownerDocument.addEventListener('selectionchange', this.onSelectionChange)
    }
    disconnectSelection() {
      this.view.dom.ownerDocument.removeEventListener('selectionchange', this.onSelectionChange)
    }
    suppressSelectionUpdates() {
      ;(this.suppressingSelectionUpdates = !0), setTimeout(() => (this.suppressingSelectionUpdates = !1), 50)
    }
    onSelectionChange() {
      if (Os(this.view)) {
        if (this.suppressingSelectionUpdates) return ye(this.view)
        if (U && Ne <= 11 && !this.view.state.selection.empty) {
          const e = this.view.domSelectionRange()
          if (e.focusNode && Ue(e.focusNode, e.focusOffset, e.anchorNode, e.anchorOffset)) return this.flushSoon()
        }
        this.flush()
      }
    }
    setCurSelection() {
      this.currentSelection.set(this.view.domSelectionRange())
    }
    ignoreSelectionChange(e) {
      if (!e.focusNode) return !0
      let t = new Set(),
        r
      for (let s = e.focusNode; s; s = at(s)) t.add(s)
      for (let s = e.anchorNode; s; s = at(s))
        if (t.has(s)) {
          r = s
          break
        }
      const i = r && this.view.docView.nearestDesc(r)
      if (i && i.ignoreMutation({ type: 'selection', target: I(r) ? r.parentNode : r }))
        return (this.setCurSelection(), !0)
    }
    pendingRecords() {
      if (this.observer) for (const e of this.observer.takeRecords()) this.queue.push(e)
      return this.queue
    }
    flush() {
      const { view: e } = this
      if (!e.docView || this.flushingSoon > -1) return
      const t = this.pendingRecords()
      t.length && (this.queue = [])
      let r,
        i = !1
      !this.suppressingSelectionUpdates &&
        Os(e) &&
        ((r = e.domSelectionRange()), (i = !this.currentSelection.eq(r) && !this.ignoreSelectionChange(r)))
      let s = -1,
        o = -1,
        l = !1,
        a = []
      if (e.editable)
        for (let f = 0; f < t.length; f++) {
          const h = this.registerMutation(t[f], a)
          h &&
            ((s = s < 0 ? h.from : Math.min(h.from, s)), (o = o < 0 ? h.to : Math.max(h.to, o)), h.typeOver && (l = !0))
        }
      if (
        a.some((f) => f.nodeName == 'BR') &&
        (e.input.lastKeyCode == 8 ||
          e.input.lastKeyCode == 46 ||
          (F &&
            (e.composing || e.input.compositionEndedAt > Date.now() - 50) &&
            t.some((f) => f.type == 'childList' && f.removedNodes.length)))
      ) {
        for (const f of a)
          if (f.nodeName == 'BR' && f.parentNode) {
            let h = f.nextSibling
            for (; h && x(h); ) {
              if (h.contentEditable == 'false') {
                f.parentNode.removeChild(f)
                break
              }
              h = h.firstChild
            }
          }
      } else if (_ && a.length) {
        const f = a.filter((h) => h.nodeName == 'BR')
        if (f.length == 2) {
          const [h, u] = f
          h.parentNode && h.parentNode.parentNode == u.parentNode ? u.remove() : h.remove()
        } else {
          const { focusNode: h } = this.currentSelection
          for (const u of f) {
            const d = u.parentNode
            d && d.nodeName == 'LI' && (!h || Bc(e, h) != d) && u.remove()
          }
        }
      }
      let c = null
      s < 0 &&
      i &&
      e.input.lastFocus > Date.now() - 200 &&
      Math.max(e.input.lastTouch, e.input.lastClick.time) < Date.now() - 300 &&
      On(r) &&
      (c = Er(e)) &&
      c.eq(M.near(e.state.doc.resolve(0), 1))
        ? ((e.input.lastFocus = 0), ye(e), this.currentSelection.set(r), e.scrollToSelection())
        : (s > -1 || i) &&
          (s > -1 && (e.docView.markDirty(s, o), Ic(e)),
          e.input.badSafariComposition && ((e.input.badSafariComposition = !1), Pc(e, a)),
          this.handleDOMChange(s, o, l, a),
          e.docView && e.docView.dirty ? e.updateState(e.state) : r && !this.currentSelection.eq(r) && ye(e),
          r && this.currentSelection.set(r))
    }
    registerMutation(e, t) {
      if (t.indexOf(e.target) > -1) return null
      const r = this.view.docView.nearestDesc(e.target)
      if (
        (e.type == 'attributes' &&
          (r == this.view.docView ||
            e.attributeName == 'contenteditable' ||
            (e.attributeName == 'style' && !e.oldValue && !e.target.getAttribute('style')))) ||
        !r ||
        r.ignoreMutation(e)
      )
        return null
      if (e.type == 'childList') {
        for (let f = 0; f < e.addedNodes.length; f++) {
          const h = e.addedNodes[f]
          t.push(h), I(h) && (this.lastChangedTextNode = h)
        }
        if (r.contentDOM && r.contentDOM != r.dom && !r.contentDOM.contains(e.target))
          return { from: r.posBefore, to: r.posAfter }
        let i = e.previousSibling,
          s = e.nextSibling
        if (U && Ne <= 11 && e.addedNodes.length)
          for (let f = 0; f < e.addedNodes.length; f++) {
            const { previousSibling: h, nextSibling: u } = e.addedNodes[f]
            ;(!h || Array.prototype.indexOf.call(e.addedNodes, h) < 0) && (i = h),
              (!u || Array.prototype.indexOf.call(e.addedNodes, u) < 0) && (s = u)
          }
        const o = i && i.parentNode == e.target ? v(i) + 1 : 0,
          l = r.localPosFromDOM(e.target, o, -1),
          a = s && s.parentNode == e.target ? v(s) : e.target.childNodes.length,
          c = r.localPosFromDOM(e.target, a, 1)
        return { from: l, to: c }
      } else
        return e.type == 'attributes'
          ? { from: r.posAtStart - r.border, to: r.posAtEnd + r.border }
          : ((this.lastChangedTextNode = e.target),
            { from: r.posAtStart, to: r.posAtEnd, typeOver: e.target.nodeValue == e.oldValue })
    }
  },
  Rs = new WeakMap(),
  Bs = !1
function Ic(n) {
  if (
    !Rs.has(n) &&
    (Rs.set(n, null), ['normal', 'nowrap', 'pre-line'].indexOf(getComputedStyle(n.dom).whiteSpace) !== -1)
  ) {
    if (((n.requiresGeckoHackNode = _), Bs)) return
    console.warn(
      "ProseMirror expects the CSS white-space property to be set, preferably to 'pre-wrap'. It is recommended to load style/prosemirror.css from the prosemirror-view package.",
    ),
      (Bs = !0)
  }
}
function Ps(n, e) {
  let t = e.startContainer,
    r = e.startOffset,
    i = e.endContainer,
    s = e.endOffset,
    o = n.domAtPos(n.state.selection.anchor)
  return (
    Ue(o.node, o.offset, i, s) && ([t, r, i, s] = [i, s, t, r]),
    { anchorNode: t, anchorOffset: r, focusNode: i, focusOffset: s }
  )
}
function Rc(n, e) {
  if (e.getComposedRanges) {
    const i = e.getComposedRanges(n.root)[0]
    if (i) return Ps(n, i)
  }
  let t
  function r(i) {
    i.preventDefault(), i.stopImmediatePropagation(), (t = i.getTargetRanges()[0])
  }
  return (
    n.dom.addEventListener('beforeinput', r, !0),
    document.execCommand('indent'),
    n.dom.removeEventListener('beforeinput', r, !0),
    t ? Ps(n, t) : null
  )
}
function Bc(n, e) {
  for (let t = e.parentNode; t && t != n.dom; t = t.parentNode) {
    const r = n.docView.nearestDesc(t, !0)
    if (r && r.node.isBlock) return t
  }
  return null
}
function Pc(n, e) {
  var t
  const { focusNode: r, focusOffset: i } = n.domSelectionRange()
  for (const s of e)
    if (((t = s.parentNode) === null || t === void 0 ? void 0 : t.nodeName) == 'TR') {
      let o = s.nextSibling
      for (; o && o.nodeName != 'TD' && o.nodeName != 'TH'; ) o = o.nextSibling
      if (o) {
        let l = o
        for (;;) {
          const a = l.firstChild
          if (!a || !x(a) || a.contentEditable == 'false' || /^(BR|IMG)$/.test(a.nodeName)) break
          l = a
        }
        l.insertBefore(s, l.firstChild), r == s && n.domSelection().collapse(s, i)
      } else s.parentNode.removeChild(s)
    }
}
function zc(n, e, t, r) {
  let { node: i, fromOffset: s, toOffset: o, from: l, to: a } = n.docView.parseRange(e, t),
    c = n.domSelectionRange(),
    f,
    h = c.anchorNode
  if (
    (h &&
      je(n.dom, h) &&
      ((f = [{ node: h, offset: c.anchorOffset }]), On(c) || f.push({ node: c.focusNode, offset: c.focusOffset })),
    F && n.input.lastKeyCode === 8)
  )
    for (let k = o; k > s; k--) {
      const N = i.childNodes[k - 1],
        w = N.pmViewDesc
      if (N.nodeName == 'BR' && !w) {
        o = k
        break
      }
      if (!w || w.size) break
    }
  let u = n.state.doc,
    d = n.someProp('domParser') || ke.fromSchema(n.state.schema),
    p = u.resolve(l),
    m = null,
    g = d.parse(i, {
      topNode: p.parent,
      topMatch: p.parent.contentMatchAt(p.index()),
      topOpen: !0,
      from: s,
      to: o,
      preserveWhitespace: p.parent.type.whitespace == 'pre' ? 'full' : !0,
      findPositions: f,
      ruleFromNode: vc(r),
      context: p,
    })
  if (f && f[0].pos != null) {
    let k = f[0].pos,
      N = f[1] && f[1].pos
    N == null && (N = k), (m = { anchor: k + l, head: N + l })
  }
  return { doc: g, sel: m, from: l, to: a }
}
var vc = (n) => (e) => {
    const t = e.pmViewDesc
    if (t) return t.parseRule(n)
    if (e.nodeName == 'BR' && e.parentNode) {
      if (J && /^(ul|ol)$/i.test(e.parentNode.nodeName)) {
        const r = document.createElement('div')
        return (r.appendChild(document.createElement('li')), { skip: r })
      } else if (e.parentNode.lastChild == e || (J && /^(tr|table)$/i.test(e.parentNode.nodeName)))
        return { ignore: !0 }
    } else if (e.nodeName == 'IMG' && e.getAttribute('mark-placeholder')) return { ignore: !0 }
    return null
  },
  Fc =
    /^(a|abbr|acronym|b|bd[io]|big|br|button|cite|code|data(list)?|del|dfn|em|i|img|ins|kbd|label|map|mark|meter|output|q|ruby|s|samp|small|span|strong|su[bp]|time|u|tt|var)$/i
function Lc(n, e, t, r, i) {
  const s = n.input.compositionPendingChanges || (n.composing ? n.input.compositionID : 0)
  if (((n.input.compositionPendingChanges = 0), e < 0)) {
    const D = n.input.lastSelectionTime > Date.now() - 50 ? n.input.lastSelectionOrigin : null,
      R = Er(n, D)
    if (R && !n.state.selection.eq(R)) {
      if (F && me && n.input.lastKeyCode === 13 && Date.now() - 100 < n.input.lastKeyCodeTime && Oe(n, 'Enter')) return
      const H = n.state.tr.setSelection(R)
      D == 'pointer' ? H.setMeta('pointer', !0) : D == 'key' && H.scrollIntoView(),
        s && H.setMeta('composition', s),
        n.dispatch(H)
    }
    return
  }
  const o = n.state.doc.resolve(e),
    l = o.sharedDepth(t)
  ;(e = o.before(l + 1)), (t = n.state.doc.resolve(t).after(l + 1))
  let a = n.state.selection,
    c = zc(n, e, t, i),
    f = n.state.doc,
    h = f.slice(c.from, c.to),
    u,
    d
  n.input.lastKeyCode === 8 && Date.now() - 100 < n.input.lastKeyCodeTime
    ? ((u = n.state.selection.to), (d = 'end'))
    : ((u = n.state.selection.from), (d = 'start')),
    (n.input.lastKeyCode = null)
  let p = Wc(h.content, c.doc.content, c.from, u, d)
  if (
    (p && n.input.domChangeCount++,
    ((ct && n.input.lastIOSEnter > Date.now() - 225) || me) &&
      i.some((D) => x(D) && !Fc.test(D.nodeName)) &&
      (!p || p.endA >= p.endB) &&
      Oe(n, 'Enter'))
  ) {
    n.input.lastIOSEnter = 0
    return
  }
  if (!p)
    if (
      r &&
      a instanceof O &&
      !a.empty &&
      a.$head.sameParent(a.$anchor) &&
      !n.composing &&
      !(c.sel && c.sel.anchor != c.sel.head)
    )
      p = { start: a.from, endA: a.to, endB: a.to }
    else {
      if (c.sel) {
        const D = zs(n, n.state.doc, c.sel)
        if (D && !D.eq(n.state.selection)) {
          const R = n.state.tr.setSelection(D)
          s && R.setMeta('composition', s), n.dispatch(R)
        }
      }
      return
    }
  n.state.selection.from < n.state.selection.to &&
    p.start == p.endB &&
    n.state.selection instanceof O &&
    (p.start > n.state.selection.from && p.start <= n.state.selection.from + 2 && n.state.selection.from >= c.from
      ? (p.start = n.state.selection.from)
      : p.endA < n.state.selection.to &&
        p.endA >= n.state.selection.to - 2 &&
        n.state.selection.to <= c.to &&
        ((p.endB += n.state.selection.to - p.endA), (p.endA = n.state.selection.to))),
    U &&
      Ne <= 11 &&
      p.endB == p.start + 1 &&
      p.endA == p.start &&
      p.start > c.from &&
      c.doc.textBetween(p.start - c.from - 1, p.start - c.from + 1) == ' \xA0' &&
      (p.start--, p.endA--, p.endB--)
  let m = c.doc.resolveNoCache(p.start - c.from),
    g = c.doc.resolveNoCache(p.endB - c.from),
    k = f.resolve(p.start),
    N = m.sameParent(g) && m.parent.inlineContent && k.end() >= p.endA
  if (
    ((ct &&
      n.input.lastIOSEnter > Date.now() - 225 &&
      (!N || i.some((D) => D.nodeName == 'DIV' || D.nodeName == 'P'))) ||
      (!N && Jc(c.doc, m.pos, g.pos))) &&
    Oe(n, 'Enter')
  ) {
    n.input.lastIOSEnter = 0
    return
  }
  if (
    n.state.selection.anchor > p.start &&
    (N ? p.endA > p.start && p.endB == p.start : $c(f, p.start, p.endA, m, g)) &&
    Oe(n, 'Backspace')
  ) {
    me && F && n.domObserver.suppressSelectionUpdates()
    return
  }
  F && p.endB == p.start && (n.input.lastChromeDelete = Date.now()),
    me &&
      !N &&
      m.start() != g.start() &&
      g.parentOffset == 0 &&
      m.depth == g.depth &&
      c.sel &&
      c.sel.anchor == c.sel.head &&
      c.sel.head == p.endA &&
      ((p.endB -= 2), (g = c.doc.resolveNoCache(p.endB - c.from)), setTimeout(() => Oe(n, 'Enter'), 20))
  let w = p.start,
    ne = p.endA,
    Ae = (D) => {
      const R = D || n.state.tr.replace(w, ne, c.doc.slice(p.start - c.from, p.endB - c.from))
      if (c.sel) {
        const H = zs(n, R.doc, c.sel)
        H &&
          !(
            (F &&
              n.composing &&
              H.empty &&
              (p.start != p.endB || n.input.lastChromeDelete < Date.now() - 100) &&
              (H.head == w || H.head == R.mapping.map(ne) - 1)) ||
            (U && H.empty && H.head == w)
          ) &&
          R.setSelection(H)
      }
      return (s && R.setMeta('composition', s), R.scrollIntoView())
    },
    Jt
  if (N)
    if (m.pos == g.pos) {
      U && Ne <= 11 && m.parentOffset == 0 && (n.domObserver.suppressSelectionUpdates(), setTimeout(() => ye(n), 20))
      const D = Ae(n.state.tr.delete(w, ne)),
        R = f.resolve(p.start).marksAcross(f.resolve(p.endA))
      R && D.ensureMarks(R), n.dispatch(D)
    } else if (
      p.endA == p.endB &&
      (Jt = Vc(
        m.parent.content.cut(m.parentOffset, g.parentOffset),
        k.parent.content.cut(k.parentOffset, p.endA - k.start()),
      ))
    ) {
      const D = Ae(n.state.tr)
      Jt.type == 'add' ? D.addMark(w, ne, Jt.mark) : D.removeMark(w, ne, Jt.mark), n.dispatch(D)
    } else if (m.parent.child(m.index()).isText && m.index() == g.index() - (g.textOffset ? 0 : 1)) {
      const D = m.parent.textBetween(m.parentOffset, g.parentOffset),
        R = () => Ae(n.state.tr.insertText(D, w, ne))
      n.someProp('handleTextInput', (H) => H(n, w, ne, D, R)) || n.dispatch(R())
    } else n.dispatch(Ae())
  else n.dispatch(Ae())
}
function zs(n, e, t) {
  return Math.max(t.anchor, t.head) > e.content.size ? null : Ar(n, e.resolve(t.anchor), e.resolve(t.head))
}
function Vc(n, e) {
  let t = n.firstChild.marks,
    r = e.firstChild.marks,
    i = t,
    s = r,
    o,
    l,
    a
  for (let f = 0; f < r.length; f++) i = r[f].removeFromSet(i)
  for (let f = 0; f < t.length; f++) s = t[f].removeFromSet(s)
  if (i.length == 1 && s.length == 0) (l = i[0]), (o = 'add'), (a = (f) => f.mark(l.addToSet(f.marks)))
  else if (i.length == 0 && s.length == 1) (l = s[0]), (o = 'remove'), (a = (f) => f.mark(l.removeFromSet(f.marks)))
  else return null
  const c = []
  for (let f = 0; f < e.childCount; f++) c.push(a(e.child(f)))
  if (y.from(c).eq(n)) return { mark: l, type: o }
}
function $c(n, e, t, r, i) {
  if (t - e <= i.pos - r.pos || lr(r, !0, !1) < i.pos) return !1
  const s = n.resolve(e)
  if (!r.parent.inlineContent) {
    const l = s.nodeAfter
    return l != null && t == e + l.nodeSize
  }
  if (s.parentOffset < s.parent.content.size || !s.parent.isTextblock) return !1
  const o = n.resolve(lr(s, !0, !0))
  return !o.parent.isTextblock || o.pos > t || lr(o, !0, !1) < t
    ? !1
    : r.parent.content.cut(r.parentOffset).eq(o.parent.content)
}
function Jc(n, e, t) {
  let r = 0,
    i = 0
  return (
    n.nodesBetween(e, t, (s, o) => {
      s.isTextblock && o >= e && o < t
        ? r++
        : (s.isText ? /\S/.test(s.text.slice(Math.max(0, e - o), Math.min(s.nodeSize, t - o))) : s.isLeaf) && i++
    }),
    i == 0 && r == 1
  )
}
function lr(n, e, t) {
  let r = n.depth,
    i = e ? n.end() : n.pos
  for (; r > 0 && (e || n.indexAfter(r) == n.node(r).childCount); ) r--, i++, (e = !1)
  if (t) {
    let s = n.node(r).maybeChild(n.indexAfter(r))
    for (; s && !s.isLeaf; ) (s = s.firstChild), i++
  }
  return i
}
function Wc(n, e, t, r, i) {
  let s = n.findDiffStart(e, t),
    o = t + n.size,
    l = t + e.size
  if (s == null) return null
  let { a, b: c } = n.findDiffEnd(e, o, l)
  if (i == 'end') {
    const f = Math.max(0, s - Math.min(a, c))
    r -= a + f - s
  }
  if (a < s && o < l) {
    const f = r <= s && r >= a ? s - r : 0
    ;(s -= f), (c = s + (c - a)), (a = s)
  } else if (c < s) {
    const f = r <= s && r >= c ? s - r : 0
    ;(s -= f), (a = s + (a - c)), (c = s)
  }
  return { start: s, endA: a, endB: c }
}
var zt = class {
  constructor(e, t) {
    ;(this._root = null),
      (this.focused = !1),
      (this.trackWrites = null),
      (this.mounted = !1),
      (this.markCursor = null),
      (this.cursorWrapper = null),
      (this.lastSelectedViewDesc = void 0),
      (this.input = new Sr()),
      (this.prevDirectPlugins = []),
      (this.pluginViews = []),
      (this.requiresGeckoHackNode = !1),
      (this.dragging = null),
      (this._props = t),
      (this.state = t.state),
      (this.directPlugins = t.plugins || []),
      this.directPlugins.forEach($s),
      (this.dispatch = this.dispatch.bind(this)),
      (this.dom = (e && e.mount) || document.createElement('div')),
      e &&
        (e.appendChild
          ? e.appendChild(this.dom)
          : typeof e == 'function'
            ? e(this.dom)
            : e.mount && (this.mounted = !0)),
      (this.editable = Ls(this)),
      Fs(this),
      (this.nodeViews = Vs(this)),
      (this.docView = bs(this.state.doc, vs(this), or(this), this.dom, this)),
      (this.domObserver = new Dr(this, (r, i, s, o) => Lc(this, r, i, s, o))),
      this.domObserver.start(),
      ac(this),
      this.updatePluginViews()
  }
  get composing() {
    return this.input.composing
  }
  get props() {
    if (this._props.state != this.state) {
      const e = this._props
      this._props = {}
      for (const t in e) this._props[t] = e[t]
      this._props.state = this.state
    }
    return this._props
  }
  update(e) {
    e.handleDOMEvents != this._props.handleDOMEvents && Mr(this)
    const t = this._props
    ;(this._props = e),
      e.plugins && (e.plugins.forEach($s), (this.directPlugins = e.plugins)),
      this.updateStateInner(e.state, t)
  }
  setProps(e) {
    const t = {}
    for (const r in this._props) t[r] = this._props[r]
    t.state = this.state
    for (const r in e) t[r] = e[r]
    this.update(t)
  }
  updateState(e) {
    this.updateStateInner(e, this._props)
  }
  updateStateInner(e, t) {
    var r
    let i = this.state,
      s = !1,
      o = !1
    e.storedMarks && this.composing && (po(this), (o = !0)), (this.state = e)
    const l = i.plugins != e.plugins || this._props.plugins != t.plugins
    if (l || this._props.plugins != t.plugins || this._props.nodeViews != t.nodeViews) {
      const d = Vs(this)
      Hc(d, this.nodeViews) && ((this.nodeViews = d), (s = !0))
    }
    ;(l || t.handleDOMEvents != this._props.handleDOMEvents) && Mr(this), (this.editable = Ls(this)), Fs(this)
    const a = or(this),
      c = vs(this),
      f =
        i.plugins != e.plugins && !i.doc.eq(e.doc)
          ? 'reset'
          : e.scrollToSelection > i.scrollToSelection
            ? 'to selection'
            : 'preserve',
      h = s || !this.docView.matchesNode(e.doc, c, a)
    ;(h || !e.selection.eq(i.selection)) && (o = !0)
    const u = f == 'preserve' && o && this.dom.style.overflowAnchor == null && wa(this)
    if (o) {
      this.domObserver.stop()
      let d =
        h && (U || F) && !this.composing && !i.selection.empty && !e.selection.empty && qc(i.selection, e.selection)
      if (h) {
        const m = F ? (this.trackWrites = this.domSelectionRange().focusNode) : null
        this.composing && (this.input.compositionNode = Sc(this)),
          (s || !this.docView.update(e.doc, c, a, this)) &&
            (this.docView.updateOuterDeco(c), this.docView.destroy(), (this.docView = bs(e.doc, c, a, this.dom, this))),
          m && (!this.trackWrites || !this.dom.contains(this.trackWrites)) && (d = !0)
      }
      const p = this.input.mouseDown
      d || !(p && this.domObserver.currentSelection.eq(this.domSelectionRange()) && ja(this) && p.delaySelUpdate())
        ? ye(this, d)
        : (eo(this, e.selection), this.domObserver.setCurSelection()),
        this.domObserver.start()
    }
    this.updatePluginViews(i),
      !((r = this.dragging) === null || r === void 0) &&
        r.node &&
        !i.doc.eq(e.doc) &&
        this.updateDraggedNode(this.dragging, i),
      f == 'reset' ? (this.dom.scrollTop = 0) : f == 'to selection' ? this.scrollToSelection() : u && Da(u)
  }
  scrollToSelection() {
    const e = this.domSelectionRange().focusNode
    if (!(!e || !je(this.dom, e))) {
      if (!this.someProp('handleScrollToSelection', (t) => t(this)))
        if (this.state.selection instanceof S) {
          const t = this.docView.domAfterPos(this.state.selection.from)
          x(t) && ds(this, t.getBoundingClientRect(), e)
        } else ds(this, this.coordsAtPos(this.state.selection.head, 1), e)
    }
  }
  destroyPluginViews() {
    let e
    for (; (e = this.pluginViews.pop()); ) e.destroy && e.destroy()
  }
  updatePluginViews(e) {
    if (!e || e.plugins != this.state.plugins || this.directPlugins != this.prevDirectPlugins) {
      ;(this.prevDirectPlugins = this.directPlugins), this.destroyPluginViews()
      for (let t = 0; t < this.directPlugins.length; t++) {
        const r = this.directPlugins[t]
        r.spec.view && this.pluginViews.push(r.spec.view(this))
      }
      for (let t = 0; t < this.state.plugins.length; t++) {
        const r = this.state.plugins[t]
        r.spec.view && this.pluginViews.push(r.spec.view(this))
      }
    } else
      for (let t = 0; t < this.pluginViews.length; t++) {
        const r = this.pluginViews[t]
        r.update && r.update(this, e)
      }
  }
  updateDraggedNode(e, t) {
    let r = e.node,
      i = -1
    if (r.from < this.state.doc.content.size && this.state.doc.nodeAt(r.from) == r.node) i = r.from
    else {
      const s = r.from + (this.state.doc.content.size - t.doc.content.size)
      ;(s > 0 && s < this.state.doc.content.size && this.state.doc.nodeAt(s)) == r.node && (i = s)
    }
    this.dragging = new xn(e.slice, e.move, i < 0 ? void 0 : S.create(this.state.doc, i))
  }
  someProp(e, t) {
    let r = this._props && this._props[e],
      i
    if (r != null && (i = t ? t(r) : r)) return i
    for (let o = 0; o < this.directPlugins.length; o++) {
      const l = this.directPlugins[o].props[e]
      if (l != null && (i = t ? t(l) : l)) return i
    }
    const s = this.state.plugins
    if (s)
      for (let o = 0; o < s.length; o++) {
        const l = s[o].props[e]
        if (l != null && (i = t ? t(l) : l)) return i
      }
  }
  hasFocus() {
    if (U) {
      let e = this.root.activeElement
      if (e == this.dom) return !0
      if (!e || !this.dom.contains(e)) return !1
      for (; e && this.dom != e && this.dom.contains(e); ) {
        if (e.contentEditable == 'false') return !1
        e = e.parentElement
      }
      return !0
    }
    return this.root.activeElement == this.dom
  }
  focus() {
    this.domObserver.stop(), this.editable && Ta(this.dom), ye(this), this.domObserver.start()
  }
  get root() {
    const e = this._root
    if (e == null) {
      for (let t = this.dom.parentNode; t; t = t.parentNode)
        if (t.nodeType == 9 || (t.nodeType == 11 && t.host))
          return (
            t.getSelection || (Object.getPrototypeOf(t).getSelection = () => t.ownerDocument.getSelection()),
            (this._root = t)
          )
    }
    return e || document
  }
  updateRoot() {
    this._root = null
  }
  posAtCoords(e) {
    return Ba(this, e)
  }
  coordsAtPos(e, t = 1) {
    return _s(this, e, t)
  }
  domAtPos(e, t = 0) {
    return this.docView.domFromPos(e, t)
  }
  nodeDOM(e) {
    const t = this.docView.descAt(e)
    return t ? t.nodeDOM : null
  }
  posAtDOM(e, t, r = -1) {
    const i = this.docView.posFromDOM(e, t, r)
    if (i == null) throw new RangeError('DOM position not inside the editor')
    return i
  }
  endOfTextblock(e, t) {
    return La(this, t || this.state, e)
  }
  pasteHTML(e, t) {
    return Rt(this, '', e, !1, t || new ClipboardEvent('paste'))
  }
  pasteText(e, t) {
    return Rt(this, e, null, !0, t || new ClipboardEvent('paste'))
  }
  serializeForClipboard(e) {
    return Ir(this, e)
  }
  destroy() {
    this.docView &&
      (cc(this),
      this.destroyPluginViews(),
      this.mounted
        ? (this.docView.update(this.state.doc, [], or(this), this), (this.dom.textContent = ''))
        : this.dom.parentNode && this.dom.parentNode.removeChild(this.dom),
      this.docView.destroy(),
      (this.docView = null),
      ma())
  }
  get isDestroyed() {
    return this.docView == null
  }
  dispatchEvent(e) {
    return hc(this, e)
  }
  domSelectionRange() {
    const e = this.dom.isConnected !== !1 && this.domSelection()
    return e
      ? (J && this.root.nodeType === 11 && Sa(this.dom.ownerDocument) == this.dom && Rc(this, e)) || e
      : { focusNode: null, focusOffset: 0, anchorNode: null, anchorOffset: 0 }
  }
  domSelection() {
    return this.root.getSelection()
  }
}
zt.prototype.dispatch = function (n) {
  const e = this._props.dispatchTransaction
  e ? e.call(this, n) : this.updateState(this.state.apply(n))
}
function vs(n) {
  const e = Object.create(null)
  return (
    (e.class = 'ProseMirror'),
    (e.contenteditable = String(n.editable)),
    n.someProp('attributes', (t) => {
      if ((typeof t == 'function' && (t = t(n.state)), t))
        for (const r in t)
          r == 'class'
            ? (e.class += ' ' + t[r])
            : r == 'style'
              ? (e.style = (e.style ? e.style + ';' : '') + t[r])
              : !e[r] && r != 'contenteditable' && r != 'nodeName' && (e[r] = String(t[r]))
    }),
    e.translate || (e.translate = 'no'),
    [De.node(0, n.state.doc.content.size, e)]
  )
}
function Fs(n) {
  if (n.markCursor) {
    const e = document.createElement('img')
    ;(e.className = 'ProseMirror-separator'),
      e.setAttribute('mark-placeholder', 'true'),
      e.setAttribute('alt', ''),
      (n.cursorWrapper = { dom: e, deco: De.widget(n.state.selection.from, e, { raw: !0, marks: n.markCursor }) })
  } else n.cursorWrapper = null
}
function Ls(n) {
  return !n.someProp('editable', (e) => e(n.state) === !1)
}
function qc(n, e) {
  const t = Math.min(n.$anchor.sharedDepth(n.head), e.$anchor.sharedDepth(e.head))
  return n.$anchor.start(t) != e.$anchor.start(t)
}
function Vs(n) {
  const e = Object.create(null)
  function t(r) {
    for (const i in r) Object.hasOwn(e, i) || (e[i] = r[i])
  }
  return (n.someProp('nodeViews', t), n.someProp('markViews', t), e)
}
function Hc(n, e) {
  let t = 0,
    r = 0
  for (const i in n) {
    if (n[i] != e[i]) return !0
    t++
  }
  for (const i in e) r++
  return t != r
}
function $s(n) {
  if (n.spec.state || n.spec.filterTransaction || n.spec.appendTransaction)
    throw new RangeError('Plugins passed directly to the view must not have a state component')
}
var Kc = new Set(['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'scope', 'start', 'dir', 'lang']),
  xo = (n, e) =>
    Object.fromEntries([...n.attributes].filter(({ name: t }) => e(t)).map(({ name: t, value: r }) => [t, r])),
  Uc = () => !0,
  jc = (n) => Kc.has(n),
  ft = { of: { default: {} }, block: { default: null } },
  Vt = (n, e) => [n, e.attrs.of, 0],
  G = (n, e) => ({ attrs: ft, parseDOM: [{ tag: n }], toDOM: (t) => Vt(n, t), ...e }),
  _c = 'block+',
  Gc = {
    doc: { content: _c },
    paragraph: G('p', { group: 'block', content: 'inline*' }),
    line: {
      attrs: ft,
      group: 'block',
      content: 'inline*',
      parseDOM: [{ tag: 'div.line' }],
      toDOM: () => ['div', { class: 'line' }, 0],
    },
    heading: {
      attrs: { ...ft, level: { default: 2 } },
      group: 'block',
      content: 'inline*',
      defining: !0,
      parseDOM: [
        { tag: 'h1', attrs: { level: 2 } },
        ...[2, 3, 4, 5, 6].map((n) => ({ tag: `h${n}`, attrs: { level: n } })),
      ],
      toDOM: (n) => Vt(`h${n.attrs.level}`, n),
    },
    bullet_list: G('ul', { group: 'block', content: 'list_item+' }),
    ordered_list: G('ol', { group: 'block', content: 'list_item+' }),
    list_item: G('li', { content: '(line | block)+', defining: !0 }),
    blockquote: G('blockquote', { group: 'block', content: '(line | block)+', defining: !0 }),
    preformatted: {
      attrs: { ...ft, code: { default: null } },
      group: 'block',
      content: 'text*',
      marks: '',
      code: !0,
      defining: !0,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
      toDOM: (n) => (n.attrs.code === null ? Vt('pre', n) : ['pre', n.attrs.of, ['code', n.attrs.code, 0]]),
    },
    figure: G('figure', { group: 'block', content: '(line | block | caption)+' }),
    caption: G('figcaption', { content: 'inline*' }),
    table: G('table', { group: 'block', content: 'table_caption? columns* section+', isolating: !0 }),
    table_caption: G('caption', { content: 'inline*' }),
    columns: G('colgroup', { content: 'column*' }),
    column: { ...G('col', {}), toDOM: (n) => ['col', n.attrs.of] },
    section: {
      attrs: { ...ft, tag: { default: 'tbody' } },
      content: 'row+',
      parseDOM: ['thead', 'tbody', 'tfoot'].map((n) => ({ tag: n, attrs: { tag: n } })),
      toDOM: (n) => Vt(n.attrs.tag, n),
    },
    row: G('tr', { content: 'cell+' }),
    cell: {
      attrs: { ...ft, tag: { default: 'td' } },
      content: '(line | block)+',
      isolating: !0,
      parseDOM: ['td', 'th'].map((n) => ({ tag: n, attrs: { tag: n } })),
      toDOM: (n) => Vt(n.attrs.tag, n),
    },
    divider: { ...G('hr', { group: 'block' }), toDOM: (n) => ['hr', n.attrs.of] },
    raw: {
      attrs: { block: { default: null } },
      group: 'block',
      atom: !0,
      draggable: !0,
      toDOM: () => ['div', { class: 'raw' }],
    },
    text: { group: 'inline' },
    image: {
      attrs: { of: { default: {} } },
      group: 'inline',
      inline: !0,
      draggable: !0,
      parseDOM: [{ tag: 'img' }],
      toDOM: (n) => ['img', n.attrs.of],
    },
    hard_break: {
      attrs: { of: { default: {} } },
      group: 'inline',
      inline: !0,
      selectable: !1,
      parseDOM: [{ tag: 'br' }],
      toDOM: (n) => ['br', n.attrs.of],
    },
  },
  vr = [
    'a',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'del',
    'ins',
    'mark',
    'small',
    'sub',
    'sup',
    'span',
    'abbr',
    'cite',
    'q',
    'dfn',
    'time',
    'kbd',
    'samp',
    'var',
    'code',
  ],
  Yc = Object.fromEntries(
    vr.map((n) => [
      n,
      {
        attrs: { of: { default: {} } },
        inclusive: n !== 'a',
        excludes: n === 'span' ? '' : n,
        parseDOM: [{ tag: n }],
        toDOM: (e) => [n, e.attrs.of, 0],
      },
    ]),
  ),
  le = new _t({ nodes: Gc, marks: Yc }),
  So = (n) =>
    new ke(
      le,
      ke.fromSchema(le).rules.map((e) => ({
        ...e,
        getAttrs: (t) => {
          const { attrs: r = {} } = e,
            i = t.nodeName === 'PRE' && t.childNodes.length === 1 ? t.firstElementChild : null
          return { ...r, of: xo(t, n), ...(i?.nodeName === 'CODE' ? { code: xo(i, n) } : {}) }
        },
      })),
    ),
  Mo = So(Uc),
  Co = So(jc)
var Xc = new Set(vr),
  No = /[ \t\r\n\f]+/g,
  Qc = new Set(['UL', 'OL', 'TABLE', 'THEAD', 'TBODY', 'TFOOT', 'TR', 'COLGROUP', 'FIGURE', 'BLOCKQUOTE']),
  Zc = (n) =>
    [...n.attributes]
      .map(({ name: e, value: t }) => `${e}=${t}`)
      .sort()
      .join('\0'),
  wo = (n) => n.replace(No, '') === '',
  Oo = (n) => {
    let e = [],
      t = [],
      r = '',
      i = (s, o) => {
        if (s.nodeType === 3) {
          const f = o ? (s.nodeValue ?? '') : (s.nodeValue ?? '').replace(No, '')
          if (f === '') return
          const h = [...t].sort().join('')
          e.push(h === r ? f : `${h}${f}`), (r = h)
          return
        }
        if (s.nodeType !== 1) {
          e.push(`${s.nodeType}${s.nodeValue ?? ''}`)
          return
        }
        const l = s,
          a = l.nodeName.toLowerCase()
        if (a === 'div' && l.className === 'line') {
          for (const f of l.childNodes) i(f, o)
          r = ''
          return
        }
        const c = `${a} ${Zc(l)}`
        if (Xc.has(a) && !(o && a === 'code')) {
          wo(l.textContent ?? '') && !l.querySelector('img, br') && e.push(`${c}`), t.push(c)
          for (const f of l.childNodes) i(f, o)
          t.pop()
          return
        }
        e.push(`\x07${c}`), (r = '')
        for (const f of l.childNodes) i(f, o || a === 'pre')
        e.push('\b'), (r = '')
      }
    for (const s of n.childNodes) i(s, !1)
    return e.join('')
  },
  ef = (n) => {
    for (const e of [n, ...n.querySelectorAll('*')])
      if (Qc.has(e.nodeName) || e.querySelector(':scope > :is(p, ul, ol, table, pre, figure)'))
        for (const r of [...e.childNodes]) r.nodeType === 3 && wo(r.nodeValue ?? '') && r.remove()
    return n
  },
  tf = ce.fromSchema(le),
  Do = (n) => {
    const e = document.createElement('div')
    e.append(tf.serializeNode(n))
    for (const t of e.querySelectorAll('div.line')) t.replaceWith(...t.childNodes)
    return e
  },
  To = (n) =>
    n.map((e, t) => {
      const r = Oo(e),
        { content: i } = Mo.parse(ef(e.cloneNode(!0))),
        [s] = i.content
      return i.childCount === 1 && s && Oo(Do(s)) === r
        ? s.type.create({ ...s.attrs, block: t }, s.content, s.marks)
        : le.nodes.raw?.create({ block: t })
    }),
  Eo = (n, e, t) => {
    const r = []
    return (
      n.forEach((i) => {
        const s = i.attrs.block,
          o = s === null ? void 0 : t[s],
          l = s !== null && e[s]?.eq(i)
        ;(i.type.name === 'paragraph' && i.content.size === 0 && !l) ||
          r.push(
            o && l ? o[0] : Do(i).innerHTML,
            o
              ? o[1]
              : `
`,
          )
      }),
      r.join('')
    )
  }
var nf = 2e3,
  Ee = (n) => {
    const e = le.nodes[n]
    if (!e) throw new Error(`The schema has no ${n}.`)
    return e
  },
  Ge = (n) => {
    const e = le.marks[n]
    if (!e) throw new Error(`The schema has no ${n}.`)
    return e
  },
  [wn, Ro, Wr] = ['list_item', 'paragraph', 'heading'].map(Ee),
  Bo =
    (...n) =>
    (e, t, r) =>
      n.some((i) => i(e, t, r)),
  Ao = (n) => Bo(rr(wn), as(Ee(n))),
  rf = (n, e) => (e?.(n.tr.replaceSelectionWith(Ee('divider').create()).scrollIntoView()), !0),
  Dn = {
    bold: on(Ge('strong')),
    italic: on(Ge('em')),
    code: on(Ge('code')),
    bullets: Ao('bullet_list'),
    numbers: Ao('ordered_list'),
    quote: Bo(ji, Yi(Ee('blockquote'))),
    divider: rf,
    undo: fn,
    redo: wt,
  },
  sf = (n, e) => (e?.(n.tr.replaceSelectionWith(Ee('hard_break').create()).scrollIntoView()), !0),
  ee = (n) => {
    const e = document.querySelector(n)
    if (!e) throw new Error(`The page has no ${n}.`)
    return e
  },
  Lr = class {
    dom = document.createElement('div')
    constructor(e, t) {
      this.dom.className = 'raw'
      const r = document.createElement('p')
      ;(r.className = 'hint'), (r.textContent = 'Kept as it is. It can be moved and deleted here, and changed as HTML.')
      const i = t[Number(e.attrs.block)]?.cloneNode(!0)
      for (const s of i?.querySelectorAll('iframe, video, audio, picture source, track') ?? []) {
        const o = document.createElement('p')
        ;(o.textContent = s.getAttribute('src') ?? s.nodeName.toLowerCase()), s.replaceWith(o)
      }
      this.dom.append(r, ...(i ? [i] : []))
    }
    ignoreMutation() {
      return !0
    }
  },
  ht = ee('form[data-editor]'),
  qr = ee('form[data-editor] textarea'),
  Hr = ee('#bar'),
  Vr = ee('#editor-said'),
  Po = [...ee('#blocks').content.children],
  of = JSON.parse(ee('#sources').textContent ?? '[]'),
  zo = To(Po),
  Tn = `galley-draft ${location.pathname} ${ht.elements.namedItem('version') instanceof HTMLInputElement ? ht.elements.namedItem('version').value : ''}`,
  lf = is({
    rules: [
      hn(/^\s*([-*])\s$/, Ee('bullet_list')),
      hn(/^(\d+)\.\s$/, Ee('ordered_list')),
      hn(/^\s*>\s$/, Ee('blockquote')),
      ss(/^(#{2,4})\s$/, Wr, (n) => ({ level: n[1]?.length ?? 2 })),
    ],
  }),
  af = () => (ht.requestSubmit(), !0),
  cf = [
    ns(),
    lf,
    nr({
      'Mod-z': fn,
      'Mod-y': wt,
      'Shift-Mod-z': wt,
      'Mod-b': Dn.bold,
      'Mod-i': Dn.italic,
      'Mod-s': af,
      Enter: cs(wn),
      'Shift-Enter': sf,
      'Mod-[': rr(wn),
      'Mod-]': fs(wn),
    }),
    nr(Qi),
  ],
  ff = (n) => le.node('doc', null, n.length > 0 ? n : [Ro.create()]),
  En = !1,
  $r,
  vo = () => {
    localStorage.setItem(Tn, JSON.stringify({ at: Date.now(), doc: A.state.doc.toJSON() }))
  },
  A = new zt(ee('#editor'), {
    state: sn.create({ doc: ff(zo), plugins: cf }),
    attributes: { 'aria-label': 'Text', role: 'textbox', 'aria-multiline': 'true', dir: 'auto', spellcheck: 'true' },
    clipboardParser: Co,
    nodeViews: { raw: (n) => new Lr(n, Po) },
    dispatchTransaction(n) {
      A.updateState(A.state.apply(n)), Fo(), n.docChanged && ((En = !0), clearTimeout($r), ($r = setTimeout(vo, nf)))
    },
  }),
  $t = ee('#style'),
  ut = ee('#link'),
  Fo = () => {
    const { $from: n, from: e, to: t, empty: r } = A.state.selection,
      { type: i, attrs: s } = n.parent
    $t.value = i === Wr ? String(s.level) : 'p'
    for (const o of Hr.querySelectorAll('button[data-mark]')) {
      const l = Ge(o.dataset.mark ?? ''),
        a = r ? l.isInSet(A.state.storedMarks ?? n.marks()) : A.state.doc.rangeHasMark(e, t, l)
      o.setAttribute('aria-pressed', String(!!a))
    }
    if (document.activeElement !== ut) {
      const o = n.marks().find((l) => l.type === Ge('a'))
      ut.value = o?.attrs.of?.href ?? ''
    }
  },
  Lo = (n) => {
    n(A.state, A.dispatch, A), A.focus()
  },
  Jr = (n) => {
    const { from: e, to: t, empty: r } = A.state.selection
    if (r) {
      Vr.textContent = 'Select the words of the link first.'
      return
    }
    const i = A.state.tr.removeMark(e, t, Ge('a'))
    A.dispatch(n === '' ? i : i.addMark(e, t, Ge('a').create({ of: { href: n } }))),
      (Vr.textContent = n === '' ? 'The link is removed.' : 'The link is set.'),
      A.focus()
  }
Hr.addEventListener('mousedown', (n) => {
  n.target.closest('button') && n.preventDefault()
})
Hr.addEventListener('click', (n) => {
  const e = n.target.closest('button')
  if (!e) return
  const { command: t = '' } = e.dataset
  t === 'link' ? Jr(ut.value.trim()) : t === 'unlink' ? Jr('') : Dn[t] && Lo(Dn[t])
})
$t.addEventListener('change', () => Lo($t.value === 'p' ? Yn(Ro) : Yn(Wr, { level: Number($t.value) })))
ut.addEventListener('keydown', (n) => {
  n.key === 'Enter' && (n.preventDefault(), Jr(ut.value.trim()))
})
ht.addEventListener('input', (n) => {
  n.target !== ut && n.target !== $t && (En = !0)
})
ht.addEventListener('submit', () => {
  ;(ee('form[data-editor] input[name=content_json]').value = JSON.stringify(Eo(A.state.doc, zo, of))),
    (qr.disabled = !0),
    (En = !1),
    clearTimeout($r),
    vo()
})
addEventListener('pageshow', () => {
  qr.disabled = !1
})
addEventListener('beforeunload', (n) => {
  En && n.preventDefault()
})
addEventListener('keydown', (n) => {
  ;(n.ctrlKey || n.metaKey) && n.key === 's' && !n.defaultPrevented && (n.preventDefault(), ht.requestSubmit())
})
var Io = localStorage.getItem(Tn),
  Fr = ee('#draft')
if (Io) {
  const { at: n, doc: e } = JSON.parse(Io),
    t = Y.fromJSON(le, e)
  t.eq(A.state.doc)
    ? localStorage.removeItem(Tn)
    : ((Fr.hidden = !1),
      (ee('#draft-at').textContent = new Date(n).toLocaleString()),
      Fr.addEventListener('click', (r) => {
        const { draft: i } = r.target.dataset
        if (i === 'restore')
          A.dispatch(A.state.tr.replaceWith(0, A.state.doc.content.size, t.content)),
            (Vr.textContent = 'The text that was not saved is back.')
        else if (i === 'discard') localStorage.removeItem(Tn)
        else return
        ;(Fr.hidden = !0), A.focus()
      }))
}
qr.closest('label')?.setAttribute('hidden', '')
for (const n of document.querySelectorAll('[data-with-script]')) n.hidden = !1
Fo()
