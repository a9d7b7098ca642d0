<?php
namespace Automattic\WooCommerce\Utilities {
	final class FeaturesUtil {
		public static $declared = array();

		public static function declare_compatibility( string $feature, string $file, bool $works ): void {
			self::$declared[ $feature ] = $works;
		}
	}

	final class OrderUtil {
		public static function custom_orders_table_usage_is_enabled(): bool {
			return \Stubs::$hpos;
		}
	}
}

namespace Automattic\WooCommerce\Caches {
	final class OrderCache {
		public function remove( $id ): void {
			\Stubs::$cleared[] = "order-cache:$id";
		}
	}
}

namespace Automattic\WooCommerce\Internal\DataStores\Orders {
	final class OrdersTableDataStore {
		public function clear_cached_data( array $ids ): void {
			\Stubs::$cleared[] = 'tables:' . implode( ',', $ids );
		}
	}
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
	abstract class AbstractPaymentMethodType {
		protected $name     = '';
		protected $settings = array();

		public function get_name() {
			return $this->name;
		}
	}
}
