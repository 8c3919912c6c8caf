/** Reason for calling off a delivery whose target is no longer the project's. */
export const TARGET_REPLACED = 'Another CMS or webhook was connected to the project before this could be sent.'

/** Reason for not publishing an article of a project without a target. */
export const NO_TARGET = 'No CMS or webhook is connected to the project.'

/** Reason for ending a delivery whose target was disconnected. */
export const TARGET_GONE = 'The CMS or webhook was disconnected before the article could be sent.'

/** Reasons for which connecting a target puts an article back on its way. */
export const WANTS_TARGET = [NO_TARGET, TARGET_GONE] as const

/** Reason for not publishing an article that no refusal explains. */
export const GAVE_UP =
  'It could not be sent although it was tried many times, for a reason on our side. Publish it again.'
