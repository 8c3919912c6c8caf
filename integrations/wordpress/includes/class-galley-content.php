<?php
/**
 * What may stand in an article.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Cleans an article's HTML: what WordPress lets authors write, and videos of YouTube and Vimeo. Anyone who has the key can
 * write articles, but no scripts.
 */
final class Galley_Content {

	const VIDEO = '~^(?:https:)?//(?:www\.)?(?:youtube\.com|m\.youtube\.com|youtube-nocookie\.com|player\.vimeo\.com)/~i';

	/**
	 * Cleans HTML.
	 *
	 * @param string $html The article's HTML.
	 * @return string
	 */
	public static function clean( $html ) {
		// The text of a script would stay visible when only its tags go.
		$without = preg_replace( '~<(script|style)\b[^>]*>.*?</\1\s*>~is', '', $html );
		return self::without_shortcodes( self::videos_only( wp_kses( null === $without ? $html : $without, self::allowed() ) ) );
	}

	/**
	 * Shows the names of shortcodes as they are written, in text, code and attributes. Other brackets stay.
	 *
	 * @param string $html The article's HTML.
	 * @return string
	 */
	private static function without_shortcodes( $html ) {
		global $shortcode_tags;
		if ( false === strpos( $html, '[' ) || empty( $shortcode_tags ) ) {
			return $html;
		}
		$names = implode( '|', array_map( 'preg_quote', array_keys( $shortcode_tags ) ) );
		$shown = preg_replace( '~\[(?=/?(?:' . str_replace( '~', '\~', $names ) . ')(?![\w-]))~', '&#091;', $html );
		return null === $shown ? $html : $shown;
	}

	/**
	 * Cleans a title or an excerpt. Plain text stays as it is, letter by letter.
	 *
	 * @param string $text The text, in which WordPress allows HTML.
	 * @return string
	 */
	public static function clean_text( $text ) {
		return false === strpos( $text, '<' ) ? $text : wp_kses_post( $text );
	}

	/**
	 * Takes out frames that show no video. The tag is read as browsers read it, so that no other attribute's text can pass for
	 * its address; what is to go loses its attributes first and is then known by having none.
	 *
	 * @param string $html HTML that went through kses.
	 * @return string
	 */
	private static function videos_only( $html ) {
		if ( false === stripos( $html, '<iframe' ) ) {
			return $html;
		}
		$tags = new WP_HTML_Tag_Processor( $html );
		while ( $tags->next_tag( 'iframe' ) ) {
			$src = $tags->get_attribute( 'src' );
			if ( is_string( $src ) && preg_match( self::VIDEO, $src ) ) {
				continue;
			}
			foreach ( $tags->get_attribute_names_with_prefix( '' ) as $name ) {
				$tags->remove_attribute( $name );
			}
		}
		// What stands in a frame is plain text to browsers up to its end, so it goes with the frame.
		$blank = '~<iframe[\s/]*+>(?:[^<]++|<(?!/iframe\b))*+(?:</iframe\b[^>]*+>|\z)~i';
		$kept  = preg_replace( $blank, '', $tags->get_updated_html() );
		// Where the pattern gives up, the frames stay, without an address.
		return null === $kept ? $tags->get_updated_html() : $kept;
	}

	/**
	 * Elements and attributes that may stay.
	 *
	 * @return array
	 */
	private static function allowed() {
		$allowed           = wp_kses_allowed_html( 'post' );
		// Its content is text, in which no frame is seen.
		unset( $allowed['textarea'] );
		// WordPress before 6.2 cannot read tags, so no frame can be told from another there.
		if ( class_exists( 'WP_HTML_Tag_Processor' ) ) {
			$allowed['iframe'] = array_fill_keys( array( 'src', 'width', 'height', 'title', 'allow', 'allowfullscreen', 'frameborder', 'loading', 'referrerpolicy', 'class', 'id' ), true );
		}
		$allowed['source'] = array_fill_keys( array( 'src', 'srcset', 'type', 'media', 'sizes' ), true );
		$allowed['picture'] = array( 'class' => true );
		foreach ( array( 'loading', 'srcset', 'sizes', 'decoding', 'fetchpriority' ) as $attribute ) {
			$allowed['img'][ $attribute ] = true;
		}
		return $allowed;
	}
}
