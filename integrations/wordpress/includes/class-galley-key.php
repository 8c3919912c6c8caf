<?php
/**
 * The integration key.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The key the service shows with each request. Only its hash is stored.
 */
final class Galley_Key {

	const HASH      = 'galley_key_hash';
	const LAST_USE  = 'galley_last_use';
	const CONNECTED = 'galley_connected';

	/**
	 * Makes a new key; the one before it ends.
	 *
	 * @return string The key, which cannot be shown again: `wpk_`, 40 random hexadecimal digits, and 8 that check them.
	 */
	public static function renew() {
		$random = bin2hex( random_bytes( 20 ) );
		$key    = 'wpk_' . $random . sprintf( '%08x', crc32( $random ) );
		update_option( self::HASH, hash( 'sha256', $key ), false );
		delete_option( self::LAST_USE );
		delete_option( self::CONNECTED );
		return $key;
	}

	/**
	 * Whether a key was made.
	 *
	 * @return bool
	 */
	public static function exists() {
		return '' !== (string) get_option( self::HASH, '' );
	}

	/**
	 * The permission callback of every route.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return true|WP_Error
	 */
	public static function permit( $request ) {
		$hash = (string) get_option( self::HASH, '' );
		if ( '' === $hash ) {
			return new WP_Error( 'galley_no_key', __( 'No integration key has been made yet (Settings → Galley).', 'galley' ), array( 'status' => 401 ) );
		}
		$given = trim( (string) $request->get_header( 'X-Galley-Key' ) );
		if ( ! hash_equals( $hash, hash( 'sha256', $given ) ) ) {
			return new WP_Error( 'galley_bad_key', __( 'The integration key is wrong or was replaced by a new one (Settings → Galley).', 'galley' ), array( 'status' => 401 ) );
		}
		self::note_use( (string) $request->get_header( 'User-Agent' ) );
		return true;
	}

	/**
	 * Lets calls of the plugin's own routes through to its own check, where another plugin refuses REST to all who are not signed in.
	 *
	 * @param mixed $result What was decided so far.
	 * @return mixed
	 */
	public static function let_through( $result ) {
		$route = isset( $GLOBALS['wp']->query_vars['rest_route'] ) ? (string) $GLOBALS['wp']->query_vars['rest_route'] : '';
		return 0 === strpos( ltrim( $route, '/' ), GALLEY_NAMESPACE . '/' ) ? true : $result;
	}

	/**
	 * Keeps when and by whom the key was used, at most once a minute.
	 *
	 * @param string $service What the caller calls itself.
	 */
	private static function note_use( $service ) {
		if ( time() - (int) get_option( self::LAST_USE, 0 ) < MINUTE_IN_SECONDS ) {
			return;
		}
		update_option( self::LAST_USE, time(), false );
		update_option( self::CONNECTED, substr( sanitize_text_field( $service ), 0, 100 ), false );
	}
}
