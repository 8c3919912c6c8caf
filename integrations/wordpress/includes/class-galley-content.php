<?php
/**
 * What may stand in an article.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Cleans an article's HTML: what WordPress lets authors write, and videos of YouTube and Vimeo. Whoever has the key can
 * write articles, but no scripts.
 */
final class Galley_Content {

	const VIDEO = '~^(?:https:)?//(?:www\.youtube\.com|youtube\.com|www\.youtube-nocookie\.com|player\.vimeo\.com)/~i';

	/**
	 * Cleans HTML.
	 *
	 * @param string $html The article's HTML.
	 * @return string
	 */
	public static function clean( $html ) {
		// The text of a script would stay visible when only its tags go.
		$html = preg_replace( '~<(script|style)\b[^>]*>.*?</\1\s*>~is', '', $html );
		$html = wp_kses( $html, self::allowed() );
		return preg_replace_callback( '~<iframe\b[^>]*>(?:\s*</iframe\s*>)?~i', array( __CLASS__, 'video_only' ), $html );
	}

	/**
	 * Keeps a frame when it shows a video.
	 *
	 * @param array $found The frame's tag.
	 * @return string
	 */
	private static function video_only( $found ) {
		$is_video = preg_match( '~\ssrc\s*=\s*["\']([^"\']*)~i', $found[0], $src ) && preg_match( self::VIDEO, html_entity_decode( $src[1] ) );
		return $is_video ? $found[0] : '';
	}

	/**
	 * Elements and attributes that may stay.
	 *
	 * @return array
	 */
	private static function allowed() {
		$allowed           = wp_kses_allowed_html( 'post' );
		$allowed['iframe'] = array_fill_keys( array( 'src', 'width', 'height', 'title', 'allow', 'allowfullscreen', 'frameborder', 'loading', 'referrerpolicy', 'class', 'id' ), true );
		$allowed['source'] = array_fill_keys( array( 'src', 'srcset', 'type', 'media', 'sizes' ), true );
		$allowed['picture'] = array( 'class' => true );
		foreach ( array( 'loading', 'srcset', 'sizes', 'decoding', 'fetchpriority' ) as $attribute ) {
			$allowed['img'][ $attribute ] = true;
		}
		return $allowed;
	}
}
