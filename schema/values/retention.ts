/** Days for which the bin keeps an article. */
export const BIN_DAYS = 30

/** Days for which the log of actions keeps an entry. */
export const LOG_DAYS = 400

/** Days that notices to people are kept. */
export const NOTICE_DAYS = 90

/** Days for which a delivery has the text that it sent, and every attempt. */
export const SENT_DAYS = 90

/** Days after which a picture that nothing uses is deleted. */
export const PICTURE_DAYS = 30

/** Days for which a person's text of an article that was not saved is kept after its last change. */
export const DRAFT_DAYS = 90
