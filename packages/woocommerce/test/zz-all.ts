import "/work/wt/h36/packages/woocommerce/test/self-service-doctor.test.ts";
import "/work/wt/h36/packages/woocommerce/test/self-service-updates.test.ts";
import "/work/wt/h36/packages/server/test/store-registry.test.ts";
import "/work/wt/h36/packages/woocommerce/test/self-service.test.ts";
import "/work/wt/h36/packages/woocommerce/test/doctor.test.ts";
