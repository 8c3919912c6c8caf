<?php
/**
 * Locks.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * A lock: a row in the options table that only one request can insert.
 *
 * If a request crashed while it held the lock, another request may take the lock after LIFE_S seconds.
 */
final class Galley_Lock {

	const LIFE_S = 120;
	const WAIT_S = 15;

	/**
	 * Runs work while holding a lock.
	 *
	 * @param string   $name Name of the lock.
	 * @param callable $work The work.
	 * @return mixed The result of the work, or a WP_Error if the lock stayed taken.
	 */
	public static function hold( $name, $work ) {
		$option = 'galley_lock_' . md5( $name );
		$value  = self::take( $option );
		if ( '' === $value ) {
			return new WP_Error( 'galley_busy', __( 'Another request is still saving on this site. Try again in a minute.', 'galley' ), array( 'status' => 409 ) );
		}
		try {
			return call_user_func( $work );
		} finally {
			self::release( $option, $value );
		}
	}

	/**
	 * Takes a lock. Waits up to WAIT_S seconds for it.
	 *
	 * @param string $option The option's name.
	 * @return string The row's value, needed for the release; empty if the lock stayed taken.
	 */
	private static function take( $option ) {
		global $wpdb;
		$until = microtime( true ) + self::WAIT_S;
		do {
			$value = time() . ':' . wp_generate_password( 20, false );
			// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- add_option() updates an existing row; a lock must not.
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
	 * Releases a lock, unless another request has taken it since.
	 *
	 * @param string $option The option's name.
	 * @param string $value  The row's value.
	 */
	private static function release( $option, $value ) {
		global $wpdb;
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- WordPress has no function that deletes by name and value.
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value = %s", $option, $value ) );
	}
}
