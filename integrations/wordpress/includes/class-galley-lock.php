<?php
/**
 * Locks.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * A lock in the options table, which every installation has: a row that only one request can insert. It ends by itself
 * when the request that held it died.
 */
final class Galley_Lock {

	const LIFE_S = 120;
	const WAIT_S = 15;

	/**
	 * Runs work while holding a lock.
	 *
	 * @param string   $name What is locked.
	 * @param callable $work The work.
	 * @return mixed What the work returned, or a WP_Error when the lock stayed taken.
	 */
	public static function hold( $name, $work ) {
		$option = 'galley_lock_' . md5( $name );
		$value  = self::take( $option );
		if ( '' === $value ) {
			return new WP_Error( 'galley_busy', __( 'This article is being saved by another request.', 'galley' ), array( 'status' => 409 ) );
		}
		try {
			return call_user_func( $work );
		} finally {
			self::release( $option, $value );
		}
	}

	/**
	 * Takes a lock, waiting for it.
	 *
	 * @param string $option The option's name.
	 * @return string What the row holds, by which it is released; empty when the lock stayed taken.
	 */
	private static function take( $option ) {
		global $wpdb;
		$until = microtime( true ) + self::WAIT_S;
		do {
			$value = time() . ':' . wp_generate_password( 20, false );
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- add_option() updates a row that is there; a lock must not.
			if ( 1 === (int) $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", $option, $value ) ) ) {
				return $value;
			}
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- The object cache would hide another request's release.
			$held = (string) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM {$wpdb->options} WHERE option_name = %s", $option ) );
			if ( '' !== $held && (int) $held < time() - self::LIFE_S ) {
				self::release( $option, $held );
			} else {
				usleep( 100000 );
			}
		} while ( microtime( true ) < $until );
		return '';
	}

	/**
	 * Releases a lock, unless someone else holds it by now.
	 *
	 * @param string $option The option's name.
	 * @param string $value  What the row holds.
	 */
	private static function release( $option, $value ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- Both columns decide.
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", $option, $value ) );
	}
}
