/** Why a delivery is called off whose target is no longer the project's. */
export const TARGET_REPLACED = 'Another CMS or webhook was connected to the project before this could be sent.'

/** Why an article is not published from a project without a target. */
export const NO_TARGET = 'No CMS or webhook is connected to the project.'

/** Why a delivery ends whose target was disconnected. */
export const TARGET_GONE = 'The CMS or webhook was disconnected before the article could be sent.'

/** Reasons for which connecting a target puts an article back on its way. */
export const WANTS_TARGET = [NO_TARGET, TARGET_GONE] as const

/** Why an article was not published although no refusal says so. */
export const GAVE_UP =
  'It could not be sent although it was tried many times, for a reason on our side. Publish it again.'
