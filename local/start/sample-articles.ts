/** Article of the sample project. Its slug is its keyword, so that the sample's search data have its address. */
export type SampleArticle = {
  keyword: string
  title: string
  description: string
  paragraphs: readonly [string, string][]
}

/** Returns the text of an article as HTML. */
export const contentOf = ({ paragraphs }: Pick<SampleArticle, 'paragraphs'>): string =>
  paragraphs.map(([heading, text]) => `<h2>${heading}</h2><p>${text}</p>`).join('\n')

/** Articles that are published when the sample is made. */
export const PUBLISHED: readonly SampleArticle[] = [
  {
    keyword: 'shed ventilation',
    title: 'Shed ventilation: how to keep a garden shed dry',
    description: 'Where vents belong in a garden shed, how many it needs, and how to tell condensation from a leak.',
    paragraphs: [
      [
        'Why sheds get damp',
        'Shed ventilation keeps tools dry and wood sound: air has to come in low on one side and leave high on the other. Warm air holds more water than cold air. When the night cools the roof, that water settles on the first cold thing it meets: tools, windows and the underside of the roof.',
      ],
      [
        'Where the vents belong',
        'Put one vent low on the side the wind comes from and one high on the other side. Air that can enter low and leave high moves by itself, even on a still day.',
      ],
      [
        'What to check in autumn',
        'Clean the grilles, look for stains below the roof edge, and keep boxes a hand away from the walls so that air can pass behind them.',
      ],
    ],
  },
  {
    keyword: 'shed foundations',
    title: 'Shed foundations compared',
    description: 'Slabs, concrete, ground screws or a frame: what each shed foundation needs, and when it is enough.',
    paragraphs: [
      [
        'Slabs on sand',
        'Shed foundations carry more than the shed: choose one by the ground, the slope and what will stand on the floor. Paving slabs carry most garden sheds. Dig out the turf, fill in ten centimetres of compacted sand, and check every slab with a level.',
      ],
      [
        'Concrete',
        'A concrete base suits workshops with heavy machines. It needs a frame, a week to harden and a plan for the rain that will stand beside it.',
      ],
      [
        'Ground screws',
        'Screws go in within a morning and come out again. They suit slopes and gardens a digger cannot reach.',
      ],
    ],
  },
  {
    keyword: 'foundations for sheds',
    title: 'Foundations for sheds: which one do you need?',
    description: 'How to choose a foundation for a shed by its weight, the ground and the slope of the garden.',
    paragraphs: [
      [
        'Begin with the weight',
        'A shed for bicycles weighs as much as a small car. A shed with a workbench weighs more, and a garden office far more.',
      ],
      [
        'Look at the ground',
        'Clay moves with the seasons, sand hardly at all. Dig a hole as deep as your spade and see what comes up.',
      ],
      [
        'Think of the slope',
        'On a slope one side stands on posts. Measure the fall over the length of the shed before you order anything.',
      ],
    ],
  },
  {
    keyword: 'shed doors',
    title: 'Shed doors',
    description: 'Notes on the doors of sheds.',
    paragraphs: [
      [
        'A door that sticks',
        'Most shed doors stick because the frame has sunk on one side. Lift the corner with a wedge and see whether the door swings free.',
      ],
      [
        'Hinges',
        'Three hinges carry a door better than two. Replace short screws with ones that reach the frame behind the boards.',
      ],
      [
        'Rot at the bottom',
        'Cut out soft wood to where it is sound, and let in a new piece with its grain the same way.',
      ],
    ],
  },
  {
    keyword: 'shed windows',
    title: 'Shed windows: glass, acrylic or none',
    description: 'What light a shed needs, how to fit a window that stays dry, and what to do about broken panes.',
    paragraphs: [
      [
        'How much light',
        'Shed windows give a workbench its light, and stay dry where the sill slopes outwards and has a groove below. A window a tenth the size of the floor is enough to find a spade by. A workbench wants twice that, from the north.',
      ],
      [
        'Glass or acrylic',
        'Acrylic does not break when a ladder falls. Glass does not scratch and does not turn yellow.',
      ],
      [
        'Keeping it dry',
        'A sill that slopes outwards and a groove on its underside keep the rain from running back to the wall.',
      ],
    ],
  },
]

const BIKE_SHED: SampleArticle['paragraphs'] = [
  [
    'Where it stands',
    'A bike shed is used when it is dark, wet and late. Put it between the door of the house and the gate, not at the end of the garden. Every step on wet grass is one reason more to lean the bicycle against the wall of the house instead. A metre and a half of paving in front of the door is enough to turn a bicycle on, and it keeps the mud outside. Look at the way with a torch once before you decide: what is easy to reach at noon may be a puzzle at night.',
  ],
  [
    'How large it must be',
    'A bicycle is a metre and eighty long and sixty centimetres wide at the handlebars. Two that stand head to tail need a metre between the walls; three need a metre and a half. Measure the one with the basket and the child seat, since it decides. Leave thirty centimetres above the highest saddle, so that nobody has to bend when they lift a bicycle out. A shelf for pump, oil and lights belongs beside the door at the height of the eyes, where it is found without a lamp.',
  ],
  [
    'The door',
    'A door that is opened every day wears out before anything else does. Take one that opens outwards, with three hinges and screws that go through to the frame. Two narrow leaves are better than a wide one: the wind has less to hold, and the way stays free. A latch that closes by itself keeps the rain out while both hands are at the handlebars. Fix a hook to the wall for the open leaf. Hang the door a finger above the floor, so that it still opens when snow or gravel lies in front of it.',
  ],
  [
    'Locks and floor',
    'An anchor in the floor holds more than any padlock on the door. Set it into concrete before the shed is put up, and lead the chain through the frame of the bicycle, not through a wheel. The floor itself may be slabs on sand: they carry the weight, they drain, and a dropped spanner does them no harm. Sweep it in spring. What a bicycle brings in over the winter is a good part of the road. Leave the lower boards of the wall a hand above the ground, and the shed will outlast the bicycles in it.',
  ],
]

/** Articles that wait for their date. One with a text is published unchanged; the service writes the others. */
export const PLANNED: readonly { keyword: string; title: string; inDays: number; content?: string }[] = [
  { keyword: 'shed roof', title: 'Shed roofs: felt, shingles or metal', inDays: 5 },
  {
    keyword: 'bike shed',
    title: 'A bike shed that is opened every day',
    inDays: 8,
    content: contentOf({ paragraphs: BIKE_SHED }),
  },
  { keyword: 'garden office', title: 'From shed to garden office', inDays: 11 },
]
