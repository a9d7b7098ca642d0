<?php
/** A must-use plugin that answers in the place of WordPress.org, which the tests cannot reach, and reports no updates. */

add_filter(
	'pre_http_request',
	static function ( $answer, $options, $url ) {
		if ( 'api.wordpress.org' !== wp_parse_url( $url, PHP_URL_HOST ) ) {
			return $answer;
		}
		$is_update_check = false !== strpos( $url, 'update-check' );
		// WordPress asks for the name of the plugin that another one requires.
		$is_known = $is_update_check || 1 === preg_match( '/action=plugin_information.*slug%5D=woocommerce/', $url );
		$nothing  = array_fill_keys( array( 'offers', 'plugins', 'themes', 'translations', 'no_update' ), array() );
		$facts    = $is_update_check ? $nothing : array( 'name' => 'WooCommerce', 'slug' => 'woocommerce' );
		return array(
			'headers'  => array(),
			'body'     => (string) wp_json_encode( $facts ),
			'response' => array(
				'code'    => $is_known ? 200 : 404,
				'message' => '',
			),
			'cookies'  => array(),
			'filename' => null,
		);
	},
	10,
	3
);
