/** An article of the sample project. Its slug is its keyword, so that the sample's search data speak of it. */
export type SampleArticle = {
  keyword: string
  title: string
  description: string
  paragraphs: readonly [string, string][]
}

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

/** Articles that wait for their date. */
export const PLANNED: readonly { keyword: string; title: string; inDays: number }[] = [
  { keyword: 'shed roof', title: 'Shed roofs: felt, shingles or metal', inDays: 5 },
  { keyword: 'bike shed', title: 'A bike shed that is opened every day', inDays: 8 },
  { keyword: 'garden office', title: 'From shed to garden office', inDays: 11 },
]

/** The text of an article as HTML. */
export const contentOf = ({ paragraphs }: SampleArticle): string =>
  paragraphs.map(([heading, text]) => `<h2>${heading}</h2><p>${text}</p>`).join('\n')
