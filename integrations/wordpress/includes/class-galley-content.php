<?php
/**
 * Clean HTML of articles.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Cleans an article's HTML. Allows the elements that WordPress allows in posts, and videos of YouTube and Vimeo.
 *
 * A person with the key can write articles, but no scripts.
 */
final class Galley_Content {

	const VIDEO = '~^(?:https:)?//(?:www\.)?(?:youtube\.com|m\.youtube\.com|youtube-nocookie\.com|player\.vimeo\.com)/~i';

	/**
	 * Returns HTML without scripts, frames other than videos, and working shortcodes.
	 *
	 * @param string $html The article's HTML.
	 * @return string
	 */
	public static function clean( $html ) {
		// wp_kses() removes only the tags of a script; its text would stay visible.
		$without = preg_replace( '~<(script|style)\b[^>]*>.*?</\1\s*>~is', '', $html );
		return self::without_shortcodes( self::videos_only( wp_kses( null === $without ? $html : $without, self::allowed() ) ) );
	}

	/**
	 * Escapes the brackets of shortcodes, so that WordPress shows them as text. Other brackets stay.
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
	 * Returns a part of a text that articles may not have and that the known texts do not have; empty if there is none.
	 *
	 * So a person with the key can change the words of a post, but add no scripts, frames, forms or shortcodes to it.
	 *
	 * @param string $text  The text.
	 * @param string $known Texts whose parts may stay.
	 * @return string
	 */
	public static function added_part( $text, $known ) {
		global $shortcode_tags;
		if ( $text === $known ) {
			return '';
		}
		// WordPress before 6.2 cannot read tags as browsers do.
		if ( ! class_exists( 'WP_HTML_Tag_Processor' ) ) {
			return __( 'WordPress before 6.2 cannot check it', 'galley' );
		}
		$names  = implode( '|', array_map( 'preg_quote', array_keys( (array) $shortcode_tags ) ) );
		$wholes = array(
			// Browsers read what is in these elements in their own way, so each is compared as a whole.
			'~<(script|style|title|textarea|iframe|noembed|noframes|noscript|template|xmp|plaintext)\b.*?(?:</\1\b[^>]*>|\z)~is',
			// A tag without an end would take what the theme prints next.
			'~<[a-z/!?][^>]*\z~i',
		);
		if ( '' !== $names ) {
			$wholes[] = '~\[/?(?:' . str_replace( '~', '\~', $names ) . ')(?![\w-])[^\]]*(?:\]|\z)~';
		}
		foreach ( $wholes as $pattern ) {
			if ( false === preg_match_all( $pattern, $text, $found ) ) {
				return __( 'the text is too long to be checked', 'galley' );
			}
			foreach ( $found[0] as $whole ) {
				if ( false === strpos( $known, $whole ) ) {
					return $whole;
				}
			}
		}
		$kept = array_flip( self::tags( $known ) );
		foreach ( self::tags( $text ) as $tag ) {
			if ( ! isset( $kept[ $tag ] ) && self::bare( wp_kses( $tag, self::allowed() ) ) !== self::bare( $tag ) ) {
				return $tag;
			}
		}
		return '';
	}

	/**
	 * Returns the opening tags of a text, as browsers read them, in one notation.
	 *
	 * @param string $html The text.
	 * @return string[]
	 */
	private static function tags( $html ) {
		$found = array();
		$tags  = new WP_HTML_Tag_Processor( $html );
		while ( $tags->next_tag() ) {
			$tag = '<' . strtolower( $tags->get_tag() );
			foreach ( (array) $tags->get_attribute_names_with_prefix( '' ) as $name ) {
				$value = $tags->get_attribute( $name );
				$tag  .= ' ' . $name . ( is_string( $value ) ? '="' . esc_attr( $value ) . '"' : '' );
			}
			$found[ $tag . '>' ] = true;
		}
		return array_keys( $found );
	}

	/**
	 * Returns a tag without the notation that WordPress changes.
	 *
	 * @param string $tag The tag.
	 * @return string
	 */
	private static function bare( $tag ) {
		return preg_replace( '~[\s"\'/;]|&amp|&#0?39|&quot~', '', $tag );
	}

	/**
	 * Returns text as HTML on one line, in which `<` never begins a tag. The service sends other signs encoded where they need it.
	 *
	 * WordPress prints titles, excerpts and names as HTML, and would remove the tags in them.
	 *
	 * @param string $text HTML of plain text.
	 * @return string
	 */
	public static function text( $text ) {
		$line = preg_replace( '~\s+~u', ' ', wp_check_invalid_utf8( (string) $text ) );
		return str_replace( '<', '&lt;', trim( (string) $line ) );
	}

	/**
	 * Returns a title or an excerpt with clean HTML. Plain text stays exactly as it is.
	 *
	 * @param string $text A text in which WordPress allows HTML.
	 * @return string
	 */
	public static function clean_text( $text ) {
		return false === strpos( $text, '<' ) ? $text : wp_kses_post( $text );
	}

	/**
	 * Removes frames that show no video. First removes their attributes, then all frames without attributes.
	 *
	 * WordPress reads the tags as browsers do, so text in another attribute is never taken for the frame's address.
	 *
	 * @param string $html HTML from wp_kses().
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
		// Browsers read the content of a frame as plain text, so it is removed with the frame.
		$blank = '~<iframe[\s/]*+>(?:[^<]++|<(?!/iframe\b))*+(?:</iframe\b[^>]*+>|\z)~i';
		$kept  = preg_replace( $blank, '', $tags->get_updated_html() );
		// If the pattern fails, these frames stay, but have no address.
		return null === $kept ? $tags->get_updated_html() : $kept;
	}

	/**
	 * Returns the allowed elements and attributes.
	 *
	 * @return array
	 */
	private static function allowed() {
		$allowed           = wp_kses_allowed_html( 'post' );
		// The content of a textarea is read as text, so frames in it would not be checked.
		unset( $allowed['textarea'] );
		// WordPress before 6.2 has no tag processor, so frames cannot be checked there and are not allowed.
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
