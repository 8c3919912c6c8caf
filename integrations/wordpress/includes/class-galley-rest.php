<?php
/**
 * Routes.
 *
 * @package Galley
 */

defined( 'ABSPATH' ) || exit;

/**
 * The routes that the service calls, which require the key, and the one to which pages send visits.
 */
final class Galley_Rest {

	/**
	 * Registers the routes. Each PUT route also accepts POST, because many firewalls block PUT.
	 */
	public static function register() {
		$article = '/articles/(?P<external_id>[A-Za-z0-9._:-]{1,120})';
		self::route( '/status', 'GET', 'status', array() );
		self::route( $article, 'GET', 'read_article', array( 'id' => self::whole(), 'slug' => self::text( 200 ) ) );
		self::route( $article, 'PUT, POST', 'save_article', self::article_fields() );
		self::route( '/posts/(?P<id>\d{1,18})', 'GET', 'read_post', array() );
		self::route( '/posts/(?P<id>\d{1,18})', 'PUT, POST', 'restore_post', self::version_fields() );
		self::route( '/posts/(?P<id>\d{1,18})/unpublish', 'POST', 'unpublish_post', array( 'adopted' => self::flag() ) );
		self::route( '/stored', 'GET', 'list_stored', array( 'after' => self::whole(), 'url' => self::address( false ) ) );
		self::route( '/stored/(?P<id>\d{1,18})', 'GET', 'read_stored', array() );
		self::route( '/engine-key', 'POST', 'save_engine_key', array( 'key' => self::text( 128, true ) + array( 'pattern' => '^[A-Za-z0-9-]{8,128}$' ) ) );
		self::route( '/traffic', 'GET', 'read_traffic', array( 'day' => self::text( 10, true ) + array( 'pattern' => '^\d{4}-\d\d-\d\d$' ) ) );
		self::route( '/visits', 'POST', 'count_visit', self::visit_fields(), '__return_true' );
		self::route( '/media', 'POST', 'save_media', array( 'url' => self::address( true ), 'alt_text' => self::text( 500 ) ) );
	}

	/**
	 * Registers one route.
	 *
	 * @param string $path   The path.
	 * @param string $method The method.
	 * @param string $answer The method of this class that handles the request.
	 * @param array  $fields The fields.
	 * @param mixed  $permit Function that decides if the request may be answered.
	 */
	private static function route( $path, $method, $answer, $fields, $permit = array( 'Galley_Key', 'permit' ) ) {
		register_rest_route(
			GALLEY_NAMESPACE,
			$path,
			array(
				'methods'             => $method,
				'callback'            => array( __CLASS__, $answer ),
				'permission_callback' => $permit,
				'args'                => $fields,
			)
		);
	}

	/**
	 * Returns the schema of a text field.
	 *
	 * @param int  $length   Maximum length.
	 * @param bool $required True if the field is required.
	 * @return array
	 */
	private static function text( $length, $required = false ) {
		$field = array(
			'type'      => 'string',
			'maxLength' => $length,
			'required'  => $required,
		);
		return $required ? $field : $field + array( 'default' => '' );
	}

	/**
	 * Returns the schema of a whole number, 0 or more.
	 *
	 * @return array
	 */
	private static function whole() {
		return array(
			'type'    => 'integer',
			'minimum' => 0,
			'default' => 0,
		);
	}

	/**
	 * Returns the schema of a flag that is false if it is missing.
	 *
	 * @return array
	 */
	private static function flag() {
		return array(
			'type'    => 'boolean',
			'default' => false,
		);
	}

	/**
	 * Returns the schema of an http(s) address.
	 *
	 * @param bool $required True if the field is required.
	 * @return array
	 */
	private static function address( $required ) {
		return self::text( 2000, $required ) + array( 'pattern' => $required ? '^https?://.+' : '^(https?://.+)?$' );
	}

	/**
	 * Returns the schemas of an article's fields.
	 *
	 * @return array
	 */
	private static function article_fields() {
		return array(
			'id'          => self::whole(),
			'create'      => array(
				'type'    => 'boolean',
				'default' => true,
			),
			// True for a post that the site had before: only the parts in `only` are written, and its text as it is sent.
			'adopted'     => self::flag(),
			// SHA-256 of the text of such a post that `content` was made of.
			'base'        => self::text( 64 ) + array( 'pattern' => '^([0-9a-f]{64})?$' ),
			'title'       => self::text( 1000, true ),
			'slug'        => self::text( 200, true ) + array( 'pattern' => '^[a-z0-9]+(-[a-z0-9]+)*$' ),
			'content'     => self::text( 2000000, true ),
			'description' => self::text( 2000 ),
			'seo_title'   => self::text( 500 ),
			'canonical'   => self::address( false ),
			// JSON-LD of the text, which the page prints only as the plugin encodes it again.
			'json_ld'     => self::text( 400000 ),
			// `draft` never changes the status of an existing post, so an update without a status keeps it.
			'status'      => array(
				'type'    => 'string',
				'enum'    => array( 'publish', 'draft' ),
				'default' => 'draft',
			),
			'only'        => array(
				'type'    => 'array',
				'items'   => array(
					'type' => 'string',
					'enum' => array( 'title', 'content', 'description', 'image', 'tags', 'category', 'author', 'seo_title', 'canonical' ),
				),
				'default' => array(),
			),
			'date_gmt'    => self::text( 19 ) + array( 'pattern' => '^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)?$' ),
			'tags'        => array(
				'type'     => 'array',
				'maxItems' => 50,
				'items'    => array(
					'type'      => 'string',
					'maxLength' => 200,
				),
				'default'  => array(),
			),
			'category'    => self::text( 200 ),
			'author'      => self::text( 200 ),
			'image_url'   => self::address( false ),
			'alt_text'    => self::text( 500 ),
		);
	}

	/**
	 * Returns the schemas of the fields of a version to restore.
	 *
	 * @return array
	 */
	private static function version_fields() {
		$ids = array(
			'type'    => 'array',
			'items'   => array( 'type' => 'integer' ),
			'default' => array(),
		);
		return array(
			'title'       => self::text( 1000, true ),
			'content'     => self::text( 2000000, true ),
			'excerpt'     => self::text( 10000 ),
			'description' => self::text( 10000 ),
			'author'      => self::whole(),
			'image'       => self::whole(),
			'tags'        => $ids,
			'categories'  => $ids,
			'adopted'     => self::flag(),
			'seo_title'   => self::text( 10000 ),
			'canonical'   => self::text( 2000 ),
		);
	}

	/**
	 * Returns the schemas of the fields of a visit.
	 *
	 * @return array
	 */
	private static function visit_fields() {
		return array(
			'post'      => array(
				'type'     => 'integer',
				'minimum'  => 1,
				'required' => true,
			),
			'assistant' => array(
				'type'     => 'string',
				'enum'     => array_keys( Galley_Traffic::ASSISTANTS ),
				'required' => true,
			),
		);
	}

	/**
	 * Returns the visits and crawls of a day.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response
	 */
	public static function read_traffic( $request ) {
		$is_counted = Galley_Traffic::is_counted( $request['day'] );
		return new WP_REST_Response(
			array(
				'day'     => $request['day'],
				'since'   => Galley_Traffic::since(),
				'counted' => $is_counted,
				'counts'  => $is_counted ? Galley_Traffic::of_day( $request['day'] ) : array(),
			)
		);
	}

	/**
	 * Counts the visit of a reader who came from an assistant. Anybody can send it, as anybody can send a referrer.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function count_visit( $request ) {
		return Galley_Traffic::count_visit( (int) $request['post'], $request['assistant'] ) ? new WP_REST_Response( null, 204 ) : self::not_found();
	}

	/**
	 * Returns the site's name, versions and settings.
	 *
	 * @return WP_REST_Response
	 */
	public static function status() {
		return new WP_REST_Response(
			array(
				'ok'             => true,
				'name'           => html_entity_decode( get_bloginfo( 'name' ), ENT_QUOTES ),
				'url'            => home_url( '/' ),
				'plugin_version' => GALLEY_VERSION,
				'wp_version'     => get_bloginfo( 'version' ),
				'php_version'    => PHP_VERSION,
				'seo_plugin'     => Galley_Seo::plugin(),
				'max_upload'     => wp_max_upload_size(),
				'permalinks'     => (string) get_option( 'permalink_structure' ),
				'author'         => Galley_Terms::default_author(),
			)
		);
	}

	/**
	 * Returns an article's post, found by the post's id, otherwise by the article's id, otherwise by slug.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function read_article( $request ) {
		$other = Galley_Posts::made_another( (int) $request['id'] );
		if ( $other ) {
			return $other;
		}
		$ways = array(
			'id'          => Galley_Posts::by_id( (int) $request['id'] ),
			'external_id' => Galley_Posts::by_external( $request['external_id'] ),
			'slug'        => '' === $request['slug'] ? null : Galley_Posts::by_slug( $request['slug'] ),
		);
		foreach ( $ways as $way => $post ) {
			if ( $post && 'id' === $way && Galley_Posts::is_of_another( $post, $request['external_id'] ) ) {
				return Galley_Articles::other_article();
			}
			if ( $post ) {
				return new WP_REST_Response( Galley_Posts::present( $post, array( 'matched_by' => $way ) ) );
			}
		}
		return self::not_found();
	}

	/**
	 * Saves an article.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function save_article( $request ) {
		$article = array();
		foreach ( array_keys( self::article_fields() ) as $name ) {
			$article[ $name ] = $request[ $name ];
		}
		foreach ( array( 'title', 'description', 'seo_title', 'category', 'author', 'alt_text' ) as $name ) {
			$article[ $name ] = Galley_Content::text( $article[ $name ] );
		}
		$article['tags']     = array_values( array_filter( array_map( array( 'Galley_Content', 'text' ), $article['tags'] ), 'strlen' ) );
		$article['date_gmt'] = str_replace( 'T', ' ', $article['date_gmt'] );
		$delivery            = substr( sanitize_text_field( (string) $request->get_header( 'Idempotency-Key' ) ), 0, 100 );
		$saved               = Galley_Articles::save( $request['external_id'], $article, $delivery );
		return is_wp_error( $saved ) ? $saved : new WP_REST_Response( $saved, $saved['created'] ? 201 : 200 );
	}

	/**
	 * Returns a post with its content, so that the service can restore it later.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function read_post( $request ) {
		$post = self::own_post( (int) $request['id'], true );
		if ( is_wp_error( $post ) ) {
			return $post;
		}
		return new WP_REST_Response( Galley_Posts::version( $post ) );
	}

	/**
	 * Lists posts of the site, or returns the one with an address.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function list_stored( $request ) {
		return '' === $request['url'] ? new WP_REST_Response( Galley_Stored::page( (int) $request['after'] ) ) : self::stored( url_to_postid( $request['url'] ) );
	}

	/**
	 * Returns any post of the site with its stored text.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function read_stored( $request ) {
		return self::stored( (int) $request['id'] );
	}

	/**
	 * Returns a post with its stored text, or the error for a post that does not exist.
	 *
	 * @param int $id The post's id.
	 * @return WP_REST_Response|WP_Error
	 */
	private static function stored( $id ) {
		$post = Galley_Posts::by_id( $id );
		return $post ? new WP_REST_Response( Galley_Stored::whole( $post ) ) : self::not_found();
	}

	/**
	 * Restores an earlier version of an article's post.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function restore_post( $request ) {
		$post = self::own_post( (int) $request['id'], $request['adopted'] );
		if ( is_wp_error( $post ) ) {
			return $post;
		}
		$version = array();
		foreach ( array_keys( self::version_fields() ) as $name ) {
			$version[ $name ] = $request[ $name ];
		}
		$saved = Galley_Articles::restore( $post, $version );
		return is_wp_error( $saved ) ? $saved : new WP_REST_Response( $saved );
	}

	/**
	 * Makes an article's post a draft again.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function unpublish_post( $request ) {
		$post = self::own_post( (int) $request['id'], $request['adopted'] );
		if ( is_wp_error( $post ) ) {
			return $post;
		}
		$saved = Galley_Articles::take_down( $post );
		return is_wp_error( $saved ) ? $saved : new WP_REST_Response( $saved );
	}

	/**
	 * Stores the key of IndexNow, which the site then serves as a file.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response
	 */
	public static function save_engine_key( $request ) {
		return new WP_REST_Response( array( 'location' => Galley_Engines::save( $request['key'] ) ) );
	}

	/**
	 * Adds an image to the media library.
	 *
	 * @param WP_REST_Request $request The request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function save_media( $request ) {
		$alt = Galley_Content::text( $request['alt_text'] );
		$url = $request['url'];
		$id  = Galley_Lock::hold(
			'media ' . $url,
			static function () use ( $url, $alt ) {
				return Galley_Media::attachment( $url, $alt, 0 );
			}
		);
		if ( is_wp_error( $id ) ) {
			$data = $id->get_error_data();
			return is_array( $data ) && isset( $data['status'] ) ? $id : new WP_Error( 'galley_image', $id->get_error_message(), array( 'status' => 422 ) );
		}
		return new WP_REST_Response( array( 'id' => $id, 'url' => wp_get_attachment_url( $id ) ), 201 );
	}

	/**
	 * Returns the post with this id if it is an article's, otherwise the refusal.
	 *
	 * @param int  $id      The post's id.
	 * @param bool $adopted True if a post that was not made from an article is accepted, too.
	 * @return WP_Post|WP_Error
	 */
	private static function own_post( $id, $adopted ) {
		$post = Galley_Posts::by_id( $id );
		if ( ! $post ) {
			$other = Galley_Posts::made_another( $id );
			return $other ? $other : self::not_found();
		}
		return $adopted || Galley_Posts::is_article( $post ) ? $post : Galley_Articles::not_ours();
	}

	/**
	 * Returns the error for a post that does not exist.
	 *
	 * @return WP_Error
	 */
	private static function not_found() {
		return new WP_Error( 'galley_not_found', __( 'This site has no such post.', 'galley' ), array( 'status' => 404 ) );
	}
}
