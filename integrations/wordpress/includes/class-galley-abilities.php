<?php
/**
 * Abilities.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * Abilities for agents that work at the site (WordPress 6.9 and later). They change nothing.
 */
final class Galley_Abilities {

	const CATEGORY = 'galley';

	/**
	 * Registers the category of the abilities.
	 */
	public static function register_category() {
		if ( function_exists( 'wp_register_ability_category' ) ) {
			wp_register_ability_category(
				self::CATEGORY,
				array(
					'label'       => __( 'Galley', 'galley' ),
					'description' => __( 'Articles that Galley published on this site, and their visits.', 'galley' ),
				)
			);
		}
	}

	/**
	 * Registers the abilities.
	 */
	public static function register() {
		if ( ! function_exists( 'wp_register_ability' ) ) {
			return;
		}
		$status = array(
			'plugin_version' => 'string',
			'connected'      => 'boolean',
			'last_seen_at'   => 'string',
			'counts_since'   => 'string',
		);
		self::add( 'status', __( 'Connection to Galley', 'galley' ), __( 'Returns whether Galley is connected to this site, when it last called, and since when visits are counted.', 'galley' ), null, self::row( $status ) );
		$article = array(
			'id'        => 'integer',
			'title'     => 'string',
			'status'    => 'string',
			'url'       => 'string',
			'edit_url'  => 'string',
			'published' => 'string',
			'modified'  => 'string',
		);
		$paged   = array(
			'page'  => self::number( 1, 1000, 1 ),
			'limit' => self::number( 1, 100, 20 ),
		);
		self::add( 'list-articles', __( 'Articles from Galley', 'galley' ), __( 'Lists the posts that Galley made, the newest first.', 'galley' ), $paged, self::rows( 'articles', $article ) );
		$count = array(
			'post'  => 'integer',
			'kind'  => 'string',
			'name'  => 'string',
			'count' => 'integer',
		);
		self::add( 'traffic', __( 'Visits from AI assistants', 'galley' ), __( 'Returns the visits from AI assistants and the requests of AI agents of a day, by post.', 'galley' ), array( 'day' => self::day() ), self::rows( 'counts', $count ) );
	}

	/**
	 * Registers one ability.
	 *
	 * @param string     $name        The name after the namespace. The method of this class has it too, with underscores.
	 * @param string     $label       The name for people.
	 * @param string     $description What it returns.
	 * @param array|null $input       Schemas of its input; null if it takes none.
	 * @param array      $output      Schema of its output.
	 */
	private static function add( $name, $label, $description, $input, $output ) {
		$ability = array(
			'label'               => $label,
			'description'         => $description,
			'category'            => self::CATEGORY,
			'output_schema'       => $output,
			'execute_callback'    => array( __CLASS__, str_replace( '-', '_', $name ) ),
			'permission_callback' => array( __CLASS__, 'permit' ),
			'meta'                => array(
				'show_in_rest' => true,
				'annotations'  => array(
					'readonly'    => true,
					'destructive' => false,
					'idempotent'  => true,
				),
			),
		);
		if ( null !== $input ) {
			$ability['input_schema'] = array(
				'type'                 => 'object',
				'properties'           => $input,
				'additionalProperties' => false,
				'default'              => array(),
			);
		}
		wp_register_ability( 'galley/' . $name, $ability );
	}

	/**
	 * True if the user may use the abilities.
	 *
	 * @return bool
	 */
	public static function permit() {
		return current_user_can( 'edit_others_posts' );
	}

	/**
	 * Returns the state of the connection.
	 *
	 * @return array
	 */
	public static function status() {
		$last = (int) get_option( Galley_Key::LAST_USE, 0 );
		return array(
			'plugin_version' => GALLEY_VERSION,
			'connected'      => $last > 0,
			'last_seen_at'   => $last > 0 ? gmdate( 'Y-m-d\TH:i:s\Z', $last ) : '',
			'counts_since'   => Galley_Traffic::since(),
		);
	}

	/**
	 * Lists the posts that were made from articles.
	 *
	 * @param array $input The input.
	 * @return array
	 */
	public static function list_articles( $input = array() ) {
		$posts = get_posts(
			array(
				'post_type'   => 'post',
				'post_status' => array( 'publish', 'future', 'draft', 'pending', 'private' ),
				'numberposts' => self::given( $input, 'limit', 20 ),
				'paged'       => self::given( $input, 'page', 1 ),
				'orderby'     => 'ID',
				'order'       => 'DESC',
				'meta_key'    => Galley_Posts::EXTERNAL, // phpcs:ignore WordPress.DB.SlowDBQuery -- meta_key is indexed, and few rows have this one.
			)
		);
		return array( 'articles' => array_map( array( __CLASS__, 'article' ), $posts ) );
	}

	/**
	 * Returns the visits and crawls of a day.
	 *
	 * @param array $input The input.
	 * @return array
	 */
	public static function traffic( $input = array() ) {
		$day = self::given( $input, 'day', gmdate( 'Y-m-d', time() - DAY_IN_SECONDS ) );
		return array( 'counts' => '' === Galley_Traffic::since() ? array() : Galley_Traffic::of_day( $day ) );
	}

	/**
	 * Returns a post for the list.
	 *
	 * @param WP_Post $post The post.
	 * @return array
	 */
	private static function article( $post ) {
		return array(
			'id'        => (int) $post->ID,
			'title'     => get_the_title( $post ),
			'status'    => $post->post_status,
			'url'       => 'publish' === $post->post_status ? (string) get_permalink( $post ) : '',
			'edit_url'  => (string) get_edit_post_link( $post, 'raw' ),
			'published' => 'publish' === $post->post_status ? str_replace( ' ', 'T', $post->post_date_gmt ) . 'Z' : '',
			'modified'  => str_replace( ' ', 'T', $post->post_modified_gmt ) . 'Z',
		);
	}

	/**
	 * Returns a value of the input, or the default: WordPress does not fill in the defaults of properties.
	 *
	 * @param mixed  $input   The input.
	 * @param string $name    The name.
	 * @param mixed  $default The default.
	 * @return mixed
	 */
	private static function given( $input, $name, $default ) {
		return is_array( $input ) && isset( $input[ $name ] ) ? $input[ $name ] : $default;
	}

	/**
	 * Returns the schema of a whole number.
	 *
	 * @param int $least   Least value.
	 * @param int $most    Greatest value.
	 * @param int $default Default.
	 * @return array
	 */
	private static function number( $least, $most, $default ) {
		return array(
			'type'    => 'integer',
			'minimum' => $least,
			'maximum' => $most,
			'default' => $default,
		);
	}

	/**
	 * Returns the schema of a day.
	 *
	 * @return array
	 */
	private static function day() {
		return array(
			'type'        => 'string',
			'pattern'     => '^\d{4}-\d\d-\d\d$',
			'description' => __( 'Day in UTC, of the last 90. Default: yesterday.', 'galley' ),
		);
	}

	/**
	 * Returns the schema of an object, all of whose properties are present.
	 *
	 * @param string[] $types Types by property.
	 * @return array
	 */
	private static function row( $types ) {
		return array(
			'type'       => 'object',
			'properties' => array_map(
				static function ( $type ) {
					return array( 'type' => $type );
				},
				$types
			),
			'required'   => array_keys( $types ),
		);
	}

	/**
	 * Returns the schema of an object with a list of objects.
	 *
	 * @param string   $name  Name of the list.
	 * @param string[] $types Types of an object in it, by property.
	 * @return array
	 */
	private static function rows( $name, $types ) {
		return array(
			'type'       => 'object',
			'properties' => array(
				$name => array(
					'type'  => 'array',
					'items' => self::row( $types ),
				),
			),
			'required'   => array( $name ),
		);
	}
}
