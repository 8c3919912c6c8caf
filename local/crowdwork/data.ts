/** Campaign of the stand-in, as the provider writes it: payments in dollars, states in capitals. */
export type StandInCampaign = {
  id: string
  title: string
  description: string
  status: string
  availablePositions: number
  paymentPerTask: number
  templateId: string
  created: string
}

export type StandInSlot = {
  id: string
  campaignId: string
  workerId: string
  status: string
  finishedTime: string
  employerComment: string | null
  answer: string
}

const count = (slots: readonly StandInSlot[], status: string): number =>
  slots.filter((slot) => slot.status === status).length

/** Returns a campaign as the API shows it. */
export const campaignShown = (campaign: StandInCampaign, slots: readonly StandInSlot[]) => ({
  ...campaign,
  categoryId: '1001',
  minutesToFinish: 10,
  ttr: 3,
  speed: 300,
  internalTemplate: { id: campaign.templateId },
  slotsCount: {
    locked: 0,
    unTaken: Math.max(0, campaign.availablePositions - slots.length),
    ok: count(slots, 'OK'),
    nok: count(slots, 'NOK'),
    notRated: count(slots, 'NOTRATED'),
    notReviewed: 0,
    revise: count(slots, 'REVISE'),
    reviseAdmin: 0,
  },
})

/** Returns a slot as the API shows it. Like the provider's slots, it does not name its campaign. */
export const slotShown = ({ campaignId: _, answer, ...slot }: StandInSlot) => ({
  ...slot,
  country: 'Netherlands',
  countryCode: 'NL',
  fileProofs: [`https://files.example/${slot.id}.png`],
  tasksAnswers: [
    {
      taskId: 'task',
      successRate: 0,
      questionsAnswers: [{ questionId: 'q1', question: 'Your answer', answer, rate: null }],
    },
  ],
})
