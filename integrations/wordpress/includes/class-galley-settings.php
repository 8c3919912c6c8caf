<?php
/**
 * The settings page.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The page Settings → Galley: the key, its last use and the default author.
 */
final class Galley_Settings {

	const PAGE = 'galley';

	/**
	 * The key that this request made. The page shows it once.
	 *
	 * @var string
	 */
	private static $new_key = '';

	/**
	 * Adds the page to the menu.
	 */
	public static function register() {
		add_options_page( __( 'Galley', 'galley' ), __( 'Galley', 'galley' ), 'manage_options', self::PAGE, array( __CLASS__, 'render' ) );
	}

	/**
	 * Adds a link to the settings page to the plugin's links in the list of plugins.
	 *
	 * @param string[] $links The links.
	 * @return string[]
	 */
	public static function links( $links ) {
		$link = sprintf( '<a href="%s">%s</a>', esc_url( admin_url( 'options-general.php?page=' . self::PAGE ) ), esc_html__( 'Settings', 'galley' ) );
		return array_merge( array( $link ), $links );
	}

	/**
	 * Handles a submitted form of the page: makes a key, or saves the default author.
	 */
	public static function save() {
		if ( ! isset( $_POST['galley_action'] ) ) {
			return;
		}
		check_admin_referer( 'galley_settings' );
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'You may not change these settings. Ask an administrator.', 'galley' ), '', array( 'response' => 403 ) );
		}
		$action = sanitize_key( wp_unslash( $_POST['galley_action'] ) );
		if ( 'key' === $action ) {
			self::$new_key = Galley_Key::renew();
		}
		if ( 'author' === $action && isset( $_POST['galley_author'] ) ) {
			update_option( 'galley_author', absint( $_POST['galley_author'] ), false );
		}
	}

	/**
	 * Prints the page.
	 */
	public static function render() {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html( get_admin_page_title() ) . '</h1>';
		self::render_key();
		self::render_use();
		self::render_author();
		echo '</div>';
	}

	/**
	 * Prints the key, if this request made it, and the button that makes a key.
	 */
	private static function render_key() {
		echo '<h2>' . esc_html__( 'Integration key', 'galley' ) . '</h2>';
		if ( '' !== self::$new_key ) {
			echo '<div class="notice notice-success"><p>' . esc_html__( 'Copy this key to Galley now. It is not shown again.', 'galley' ) . '</p>';
			printf( '<p><input type="text" class="large-text code" readonly onfocus="this.select()" value="%s" /></p></div>', esc_attr( self::$new_key ) );
		} else {
			echo '<p>' . ( Galley_Key::exists() ? esc_html__( 'There is a key. It cannot be shown again. If you make a new key, this one stops working.', 'galley' ) : esc_html__( 'There is no key yet. Make one, and copy it to Galley.', 'galley' ) ) . '</p>';
		}
		echo '<form method="post">';
		wp_nonce_field( 'galley_settings' );
		echo '<input type="hidden" name="galley_action" value="key" />';
		submit_button( Galley_Key::exists() ? __( 'Make a new key', 'galley' ) : __( 'Make a key', 'galley' ), 'secondary' );
		echo '</form>';
	}

	/**
	 * Prints when the key was last used, and by which service.
	 */
	private static function render_use() {
		$last = (int) get_option( Galley_Key::LAST_USE, 0 );
		echo '<h2>' . esc_html__( 'Connection', 'galley' ) . '</h2><p>';
		if ( 0 === $last ) {
			echo esc_html__( 'Not connected yet. Connect this site in Galley, with its address and the key.', 'galley' );
		} else {
			/* translators: 1: a service's name, 2: a span of time. */
			echo esc_html( sprintf( __( 'Connected: %1$s, last seen %2$s ago.', 'galley' ), get_option( Galley_Key::CONNECTED, '' ), human_time_diff( $last ) ) );
		}
		echo '</p>';
	}

	/**
	 * Prints the form for the default author.
	 */
	private static function render_author() {
		echo '<h2>' . esc_html__( 'Author', 'galley' ) . '</h2><form method="post"><p>';
		wp_nonce_field( 'galley_settings' );
		echo '<input type="hidden" name="galley_action" value="author" /><label for="galley_author">' . esc_html__( 'Author of articles whose byline matches no user of this site', 'galley' ) . '</label> ';
		wp_dropdown_users(
			array(
				'name'     => 'galley_author',
				'id'       => 'galley_author',
				'selected' => Galley_Terms::default_author(),
				'role__in' => array( 'administrator', 'editor', 'author' ),
			)
		);
		echo '</p>';
		submit_button( __( 'Save', 'galley' ), 'primary' );
		echo '</form>';
	}
}
