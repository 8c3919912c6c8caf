export const STYLES = '/assets/style.css'
